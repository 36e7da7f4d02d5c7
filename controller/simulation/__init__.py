"""Tables that exist only in the program: games filmed from a script or typed by a person."""
