//go:build !race

package acctest

// RaceDetector reports whether the race detector is on.
const RaceDetector = false
