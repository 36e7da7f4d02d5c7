"""Small networks: their weights, and the modules that run them."""
