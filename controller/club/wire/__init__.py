"""What boards and hall say to each other by MQTT, and the board's side of it."""
