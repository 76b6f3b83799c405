//go:build !race

package provider_test

// raceDetector tells that the race detector is on.
const raceDetector = false
