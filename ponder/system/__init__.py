"""What a machine has and takes: time limits, signals, child processes, errors, types."""
