//go:build race

package acctest

// RaceDetector tells that the race detector is on, which makes everything about
// seven times slower: long tables are then played in part.
const RaceDetector = true
