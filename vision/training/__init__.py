"""Makes pictures of boards, and trains and tests the networks on them. Not installed."""
