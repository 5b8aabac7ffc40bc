"""What people open: the command line, the page, the notebook, pictures, studies."""
