"""What is told beside a text: how its examples went, who may see, what changed, what a match held."""
