"""The plans for building: wiring, drilling template, camera height."""
