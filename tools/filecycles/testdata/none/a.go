// Package none has no cycle but with its test.
package none

func one() int { return 1 }
