"""What the learned readers are taught with: boards without end. Not installed."""
