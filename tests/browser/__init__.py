"""Tests of the table with a real browser, Chromium driven by Playwright."""
