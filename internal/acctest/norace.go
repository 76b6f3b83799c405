//go:build !race

package acctest

// RaceDetector tells that the race detector is on.
const RaceDetector = false
