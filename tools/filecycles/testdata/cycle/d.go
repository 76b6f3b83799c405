package cycle

var _ = area
