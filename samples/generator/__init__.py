"""Make the sample scans: manuscripts are typeset, drawn, worn like old paper and written with their truth."""
