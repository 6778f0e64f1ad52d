"""Books as people write them: Word and PDF documents read with the places of their words, remarked on, read again."""
