"""The commands: arguments, terminal and signals; the outermost folder, which nothing else imports."""
