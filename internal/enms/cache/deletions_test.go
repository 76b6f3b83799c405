// Tests of what lets deletions go on.

package cache

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

var (
	devices   = Question{"device", "id"}
	linksFrom = Question{"link", "source_id"}
	stepsOf   = Question{"service", "workflows"}
)

// learned returns what two pages told: devices a to c with ids 1 to 3, and links from 2.
func learned(at time.Time) (*Store, *Deletions) {
	s := &Store{}
	d := s.Current().Deletions
	d.Learn(devices, at, nil, map[string][]string{"1": {"a"}, "2": {"b"}, "3": {"c"}})
	d.Learn(linksFrom, at, nil, map[string][]string{"2": {"l", "m"}})
	return s, d
}

// expect compares what refers to a key; nobody is known if want is nil.
func expect(t *testing.T, when string, d *Deletions, q Question, key string, want []string) {
	t.Helper()
	names, known := d.Referring(q, key)
	slices.Sort(names)
	if known != (want != nil) || known && !slices.Equal(names, want) {
		t.Errorf("%s: %v of %q: %q, known %t, want %q", when, q, key, names, known, want)
	}
}

func TestDeletions_expire(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, d := learned(time.Now())
		expect(t, "at once", d, devices, "1", []string{"a"})
		time.Sleep(DeletionAge - time.Millisecond)
		expect(t, "just young enough", d, devices, "1", []string{"a"})
		expect(t, "just young enough", d, devices, "7", []string{})
		d.Learn(linksFrom, time.Now(), []string{"1"}, nil)
		time.Sleep(time.Millisecond)
		expect(t, "too old", d, devices, "1", nil)
		expect(t, "too old", d, devices, "7", nil)
		expect(t, "asked for again", d, linksFrom, "1", []string{})
		expect(t, "not asked for again", d, linksFrom, "2", nil)
	})
}

// An answer about some keys says nothing about others, and one about a question nothing about
// others.
func TestDeletions_answersAboutSome(t *testing.T) {
	t.Parallel()
	d := (&Store{}).Current().Deletions
	d.Learn(stepsOf, time.Now(), []string{"v", "w"}, map[string][]string{"w": {"[w] step"}})
	expect(t, "with a step", d, stepsOf, "w", []string{"[w] step"})
	expect(t, "without", d, stepsOf, "v", []string{})
	expect(t, "not asked for", d, stepsOf, "x", nil)
	expect(t, "another question", d, Question{"task", "workflows"}, "w", nil)
	d.Learn(stepsOf, time.Now(), nil, nil)
	expect(t, "after all were read", d, stepsOf, "w", []string{})
	expect(t, "after all were read", d, stepsOf, "x", []string{})
}

// A deletion of this client takes its instance out of the answers; any other write drops them, and a
// read that began before teaches nothing.
func TestDeletions_afterWrites(t *testing.T) {
	t.Parallel()
	s, d := learned(time.Now())
	before := s.Current()
	s.Deleting()
	during := s.Current()
	s.Deleted("link", "l")
	if during == before || s.Current() == during {
		t.Error("a deletion leaves what it may have changed")
	}
	if s.Current().Deletions != d {
		t.Fatal("a deletion drops what lets others go on")
	}
	s.Deleted("device", "m")
	s.Deleted("device", "a")
	expect(t, "after a deletion", d, linksFrom, "2", []string{"m"})
	expect(t, "after its deletion", d, devices, "1", []string{})
	for what, write := range map[string]func(*Store){"a creation": (*Store).Created, "a write": (*Store).Written} {
		s, d := learned(time.Now())
		write(s)
		expect(t, "after "+what, s.Current().Deletions, devices, "1", nil)
		d.Learn(devices, time.Now(), nil, map[string][]string{"1": {"a"}})
		expect(t, "after "+what+", by a read that began before", s.Current().Deletions, devices, "1", nil)
	}
}
