"""From games, logs and series to sentences, reports and verdicts; nothing here prints."""
