// The shortest life that still breaks a law. The steps of a life are shortened
// themselves, and not what rapid has drawn for them: many variants are played at the same
// time.

package lives

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// shortenFor is how long a life is shortened.
	shortenFor = 20 * time.Second
	// attempts is how often a life is played that broke a law, until it does so again:
	// some depend on what happens first of several things.
	attempts = 5
)

// shorten leaves out steps, entries and arguments, as long as the same law is broken in the same way.
func (b *brokenLife) shorten(t *testing.T) {
	var again *violation
	for try := 0; try < attempts && again == nil; try++ {
		_, again = play(t, serverOptions(), b.steps)
	}
	if again == nil {
		b.violation.what += ", but not each time"
		return
	}
	b.violation = again
	for begin := time.Now(); time.Since(begin) < shortenFor; {
		steps, broken := firstBreaking(t, sortOf(b.violation), shorterThan(b.steps))
		if broken == nil {
			return
		}
		b.steps, b.violation = steps, broken
	}
}

// firstBreaking plays lives at the same time and returns the first that breaks a law in the
// given way.
func firstBreaking(t *testing.T, sort string, variants [][]step) ([]step, *violation) {
	for batch := range slices.Chunk(variants, together) {
		breaks := make([]*violation, len(batch))
		var playing sync.WaitGroup
		for i, steps := range batch {
			playing.Go(func() { _, breaks[i] = play(t, serverOptions(), steps) })
		}
		playing.Wait()
		if i := slices.IndexFunc(breaks, func(v *violation) bool { return v != nil && sortOf(v) == sort }); i >= 0 {
			return batch[i], breaks[i]
		}
	}
	return nil, nil
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
		without := func(is bool, drop func(a *apply)) {
			if a := s; is {
				drop(&a)
				simpler = append(simpler, a)
			}
		}
		without(len(s.faults) > 0, func(a *apply) { a.faults = nil })
		without(len(s.lost) > 0, func(a *apply) { a.lost = nil })
		without(len(s.replace) > 0, func(a *apply) { a.replace = nil })
		without(s.leave, func(a *apply) { a.leave = false })
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

var particular = regexp.MustCompile(`"[^"]*"|\d+|enms_(\w+)\.[a-z]\d?\b`)

// sortOf returns a violation without what is particular to one life.
func sortOf(v *violation) string {
	text := v.law + ": " + v.what
	if at := strings.Index(text, "; the plan was"); at > 0 {
		text = text[:at]
	}
	text = particular.ReplaceAllString(text, "_")
	if lines := strings.SplitN(text, "\n", 3); len(lines) > 2 {
		text = lines[0] + lines[1]
	}
	return text[:min(len(text), 220)]
}
