//go:build race

package enms

// raceDetector tells that the race detector is on, under which a flood of bytes
// takes minutes.
const raceDetector = true
