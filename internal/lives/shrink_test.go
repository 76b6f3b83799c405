// The shortest life that still breaks a law. rapid shortens what it draws; this goes on
// with the steps themselves, of which it plays many variants at the same time.

package lives

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"
)

// shortenFor is how long a life is shortened.
const shortenFor = 40 * time.Second

// shorten leaves out steps, entries and arguments, as long as the same law is broken in the same way.
func shorten(t *testing.T, steps []step) []step {
	_, broken := playLife(t, serverOptions(), steps)
	if broken == nil {
		return steps
	}
	for begin := time.Now(); time.Since(begin) < shortenFor; {
		shorter := firstBreaking(t, sortOf(broken), shorterThan(steps))
		if shorter == nil {
			break
		}
		steps = shorter
	}
	return steps
}

// firstBreaking plays lives at the same time and returns the first that breaks a law in the
// given way.
func firstBreaking(t *testing.T, sort string, variants [][]step) []step {
	for batch := range slices.Chunk(variants, together) {
		breaks := make([]bool, len(batch))
		var playing sync.WaitGroup
		for i, steps := range batch {
			playing.Go(func() {
				_, broken := playLife(t, serverOptions(), steps)
				breaks[i] = broken != nil && sortOf(broken) == sort
			})
		}
		playing.Wait()
		if i := slices.Index(breaks, true); i >= 0 {
			return batch[i]
		}
	}
	return nil
}

// shorterThan lists the lives that are a little shorter than one.
func shorterThan(steps []step) (variants [][]step) {
	for size := len(steps) / 2; size >= 1; size /= 2 {
		for at := 0; at+size <= len(steps); at += size {
			variants = append(variants, slices.Concat(steps[:at:at], steps[at+size:]))
		}
	}
	for i, s := range steps {
		for _, simpler := range simplerThan(s) {
			variant := slices.Clone(steps)
			variant[i] = simpler
			variants = append(variants, variant)
		}
	}
	return variants
}

// simplerThan lists steps that are a little simpler than one.
func simplerThan(s step) (simpler []step) {
	switch s := s.(type) {
	case apply:
		if len(s.faults) > 0 {
			simpler = append(simpler, apply{lost: s.lost, leave: s.leave})
		}
		if len(s.lost) > 0 {
			simpler = append(simpler, apply{faults: s.faults, leave: s.leave})
		}
		if s.leave {
			simpler = append(simpler, apply{faults: s.faults, lost: s.lost})
		}
	case set:
		for _, b := range smaller(map[string]any(s.block)) {
			simpler = append(simpler, set{s.address, b})
		}
	case write:
		for _, fields := range smaller(s.fields) {
			simpler = append(simpler, write{s.typ, s.name, fields})
		}
	}
	return simpler
}

// smaller lists objects with a member less, however deep.
func smaller(o map[string]any) (all []map[string]any) {
	for _, name := range sortedKeys(o) {
		without := maps.Clone(o)
		delete(without, name)
		all = append(all, without)
		if inner, is := o[name].(map[string]any); is {
			for _, v := range smaller(inner) {
				with := maps.Clone(o)
				with[name] = v
				all = append(all, with)
			}
		}
	}
	return all
}
