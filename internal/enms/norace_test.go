//go:build !race

package enms

// raceDetector tells that the race detector is on.
const raceDetector = false
