"""The MQTT messages between boards and hall, and the board's side of the connection."""
