"""The plans for building: parts lists, wiring, cables, stand, drilling template, printed parts."""
