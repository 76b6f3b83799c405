//go:build race

package acctest

// RaceDetector reports whether the race detector is on. It makes everything about seven times slower,
// so that tests play only a part of their long tables.
const RaceDetector = true
