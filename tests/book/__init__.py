"""The documents as programs: examples are run, links followed, references made, the site built."""
