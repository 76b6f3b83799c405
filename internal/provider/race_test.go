//go:build race

package provider_test

// raceDetector tells that the race detector is on, which makes everything about
// seven times slower: long tables are then played in part.
const raceDetector = true
