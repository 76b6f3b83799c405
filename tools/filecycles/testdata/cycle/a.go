// Package cycle has a cycle of three files and a file beside it.
package cycle

type square struct{ side int }

func area(s square) int { return s.times(s.side) }
