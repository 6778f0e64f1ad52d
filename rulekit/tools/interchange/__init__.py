"""Catalogues and findings in the files that translators' programs and spreadsheets use."""
