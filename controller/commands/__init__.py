"""What people say, typed or as lines of JSON, as events of the referee."""
