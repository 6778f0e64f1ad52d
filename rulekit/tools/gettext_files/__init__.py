"""The PO format of gettext, the plural forms of languages, and language codes."""
