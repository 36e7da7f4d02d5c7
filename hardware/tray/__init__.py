"""The plans of the dice tray from one set of measures: its board, its printed parts, a model of its light."""
