package none

var tested = two
