"""What expressions over values and sets become."""
