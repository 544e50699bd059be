"""What else moves a figure: the threshold, the keys, the size of a release, several releases together."""
