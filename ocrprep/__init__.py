"""ocrprep makes a scan citable: what was read is kept, what is derived is recorded, what is quoted is bound."""
