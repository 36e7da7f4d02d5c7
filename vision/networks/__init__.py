"""Small networks: their weights, and the module that runs them."""
