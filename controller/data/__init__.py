"""Data that comes with the package: the film that `blotlight demo` plays."""
