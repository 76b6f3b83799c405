// This file understands the changelog (enms-rest.md 11.9): its marks, its entries about the names of instances, and what
// these entries tell of an instance, one after the other.

package enms

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

const (
	// changelogType is the type of the entries.
	changelogType = "changelog"
	// authorField is their field with the author, which has another name on line 5 (kind.Words).
	authorField = "user"
)

// Change is an entry of the changelog.
type Change struct {
	Time, Author string
	Action       string // CREATION, UPDATE or DELETION
	// What follows is only in those that Changes returns.
	Type, Name string // of the instance
	Source     string // "" if eNMS does not tell
	Content    string // the whole entry in the words of eNMS
	// Values are the properties that an update has changed, without those whose values eNMS conceals.
	// Nil if eNMS keeps none.
	Values map[string]Changed
}

// At returns the time without fractions of a second.
func (c Change) At() string { return Seconds(c.Time) }

// Seconds returns a time of eNMS without fractions of a second.
func Seconds(time string) string {
	seconds, _, _ := strings.Cut(time, ".")
	return strings.TrimRight(seconds, " ")
}

// Changed holds what a property was and is. Of a relation, it holds the names that were removed and added.
type Changed struct{ Old, New any }

// Mark is a row of the changelog, which was the newest one at some time.
type Mark struct {
	ID   int64  `json:"id"`
	Time string `json:"time"` // by the clock of eNMS
}

// marks remembers what a client has asked about marks.
type marks struct {
	begun  atomic.Bool // TakeMark was called
	mu     sync.Mutex
	asked  bool     // the newest row was asked for
	newest *Mark    // nil if the changelog was empty, or could not be read
	found  sync.Map // a MarkStatus by its Mark
}

// MarkStatus is what the changelog says about a mark.
type MarkStatus int

// The statuses.
const (
	MarkFound   MarkStatus = iota // the changelog has the row
	MarkExpired                   // administrators have deleted the row, and all that were older
	MarkLost                      // the changelog never had it: another database answers
)

// markOf returns the mark in a row of the changelog.
func markOf(row Object) (Mark, error) {
	id, err := strconv.ParseInt(endpoint.IDText(row["id"]), 10, 64)
	if err != nil {
		return Mark{}, &FieldError{Type: changelogType, Field: "id", Reason: wrongInAnswer}
	}
	return Mark{ID: id, Time: endpoint.String(row, "time")}, nil
}

// UnmarshalJSON returns an error for a mark without an id.
func (m *Mark) UnmarshalJSON(raw []byte) error {
	type plain Mark
	if err := json.Unmarshal(raw, (*plain)(m)); err != nil {
		return err
	}
	if m.ID <= 0 {
		return &FieldError{Type: changelogType, Field: "id", Reason: "is missing"}
	}
	return nil
}

// Subject is an instance whose fate is asked for.
type Subject struct {
	Type    string // as eNMS returns it, such as "python_snippet_service"
	Name    string // its name when the mark was taken, or, with After, the name that it got since
	NameNow string // the name of what has its id now; "" if nothing has
	Since   Mark
	// After is set if this client gave the instance its Name after the mark was taken. An instance that had the name
	// at the mark is another one, and so is one that was renamed to it since; this is the first one created with the name.
	After bool
	// Now is set if the changelog is to be read again, unless the part that was read before tells the fate.
	Now bool
	// Wanted is the name that Fate.Made is about; "" means Name.
	Wanted string
}

// Fate is what the changelog tells of a Subject. A field is nil if the changelog does not tell.
type Fate struct {
	Renamed *Change // the rename by which it got the name NameNow
	Deleted *Change
	Made    *Change // the last creation or rename by which another instance of the type got the wanted name
}

// isTold reports whether the changelog tells what became of the instance.
func (f Fate) isTold() bool { return f.Renamed != nil || f.Deleted != nil }

// history holds the events that a client has read from the changelog. It needs no lock: the batches that use it share a
// lane, and so run one at a time.
type history struct {
	from     int64 // the id of the oldest row that was asked for; 0 before the first request
	complete bool  // events holds all events since from
	events   []event
}

// overlap is how many rows before a mark count as being after it: with several workers, a row may become visible
// after others with larger ids.
const overlap = 1000

// verb is what an event did to an instance.
type verb int

const (
	created verb = iota + 1
	renamed
	deleted
)

// event is a row of the changelog about the name of an instance.
type event struct {
	id       int64
	verb     verb
	typ      string
	from, to string // the names before and after; "" before a creation and after a deletion
	change   *Change
}

// eventOf decodes a row of the changelog. ok is false if the row is not about the name of an instance, or if it can be
// read in several ways: names may contain the quotes and line feeds that the changelog writes between them.
func eventOf(row Object) (v event, ok bool) {
	mark, err := markOf(row)
	if err != nil {
		return event{}, false
	}
	content := endpoint.String(row, "content")
	action, rest, _ := strings.Cut(content, ": ")
	typ, rest, _ := strings.Cut(rest, " '")
	target, hasTarget := row["target_name"].(string) // eNMS 5
	v = event{id: mark.ID, typ: typ, change: &Change{Time: mark.Time, Author: endpoint.String(row, authorField), Action: action}}
	switch action {
	case "CREATION":
		v.verb, v.to = created, strings.TrimSuffix(rest, "'")
		if hasTarget {
			v.to = target
		}
	case "DELETION":
		v.verb, v.from = deleted, strings.TrimSuffix(rest, "'")
	case "UPDATE":
		if properties := changedProperties(row); properties != nil {
			return updated(v, target, properties)
		}
		v.verb = renamed
		v.from, v.to = renameIn(rest)
	}
	return v, v.from != "" || v.to != ""
}

// changedProperties returns the properties that an update of eNMS 5 has changed, nil on eNMS 4.
func changedProperties(row Object) map[string]any {
	history, _ := row["history"].(map[string]any)
	properties, _ := history["properties"].(map[string]any)
	return properties
}

// updated is eventOf for an update of eNMS 5: a rename, or what the web pages do in place of a deletion and its undoing.
func updated(v event, target string, properties map[string]any) (event, bool) {
	if name, is := properties["name"].(map[string]any); is {
		v.verb = renamed
		v.from, _ = name["old"].(string)
		v.to, _ = name["new"].(string)
		return v, v.from != "" && v.to != ""
	}
	soft, is := properties["soft_deleted"].(map[string]any)
	if is && soft["new"] == true {
		v.verb, v.from = deleted, target
	} else if is {
		v.verb, v.to = created, target
	}
	return v, is && target != ""
}

// renameIn returns the names in the content of an update of eNMS 4, from its target on: NEW': (… | name: 'OLD' => 'NEW' | …).
// They are "" if it is no rename, or if it can be read as several.
func renameIn(content string) (from, to string) {
	const separator, member, arrow = " | ", "name: '", "' => '"
	content, whole := strings.CutSuffix(content, ")")
	if !whole {
		return "", ""
	}
	found := map[[2]string]bool{}
	for name, changes := range cuts(content, "': (") {
		for before, after := range cuts(changes, member) {
			if before != "" && !strings.HasSuffix(before, separator) {
				continue
			}
			for old, end := range cuts(after, arrow+name+"'") {
				if end == "" || strings.HasPrefix(end, separator) {
					found[[2]string{old, name}] = true
					break // what follows is another member, such as scoped_name
				}
			}
		}
	}
	if len(found) != 1 {
		return "", ""
	}
	for names := range found {
		from, to = names[0], names[1]
	}
	return from, to
}

// cuts yields the text before and the text after each occurrence of a separator.
func cuts(s, separator string) func(yield func(before, after string) bool) {
	return func(yield func(before, after string) bool) {
		for start := 0; ; {
			n := strings.Index(s[start:], separator)
			if n < 0 || !yield(s[:start+n], s[start+n+len(separator):]) {
				return
			}
			start += n + 1
		}
	}
}

// fate returns what events tell of the subject. events are in the order of their ids.
func (s Subject) fate(events []event) (f Fate) {
	events = slices.DeleteFunc(slices.Clone(events), func(v event) bool { return v.typ != s.Type || v.id < s.Since.ID-overlap })
	f.Deleted, f.Renamed, f.Made = s.deletion(events), s.rename(events), s.made(events)
	return f
}

// deletion follows the subject through its renames after the mark, and returns its deletion, or nil.
func (s Subject) deletion(events []event) *Change {
	name, exists := s.Name, !s.After
	for _, v := range events {
		switch {
		case v.id <= s.Since.ID:
		case !exists:
			exists = v.verb == created && v.to == name
		case v.from == name && v.verb == deleted:
			return v.change
		case v.from == name:
			name = v.to
		}
	}
	return nil
}

// made follows the subject through its renames after the mark. It returns the last event by which another instance got
// the wanted name after the subject had lost it, or nil.
func (s Subject) made(events []event) (by *Change) {
	wanted, name := cmp.Or(s.Wanted, s.Name), s.Name
	exists, lost := !s.After, false
	for _, v := range events {
		switch {
		case v.id <= s.Since.ID:
		case !exists:
			exists = v.verb == created && v.to == name
		case v.from == name && name != "":
			lost, name = lost || name == wanted, v.to
		case v.to == wanted && lost:
			by = v.change
		}
	}
	return by
}

// trackedInstance is an instance as the events show it.
type trackedInstance struct {
	wasSubject bool    // it is the subject, as far as the events show
	last       *Change // its last rename
}

// trackedInstances holds instances by their present names, and nil for each name that is free.
type trackedInstances map[string]*trackedInstance

// leave frees the name from, unless that is "", and returns the instance that had it. isSubject says whether that is the
// subject if no event has told of it before. isReal is false if no instance had the name.
func (t trackedInstances) leave(from string, isSubject bool) (moving *trackedInstance, isReal bool) {
	if from == "" {
		return &trackedInstance{}, true
	}
	moving, known := t[from]
	if !known {
		moving = &trackedInstance{wasSubject: isSubject}
	}
	t[from] = nil
	return moving, moving != nil
}

// forgetSubject records that none of the instances is the subject.
func (t trackedInstances) forgetSubject() {
	for _, instance := range t {
		if instance != nil {
			instance.wasSubject = false
		}
	}
}

// rename follows all instances through the events. It returns the last rename of the instance that has NameNow if that
// is the subject: the last one that had Name before another instance could get it after the mark. Otherwise it returns
// nil. A rename from a name that no instance had is ignored: somebody may have written a text that looks like one.
func (s Subject) rename(events []event) *Change {
	if s.NameNow == "" {
		return nil
	}
	tracked := trackedInstances{}
	exists, lost := !s.After, false // lost: after the mark, the subject has lost its name
	for _, v := range events {
		isLater := v.id > s.Since.ID
		moving, isReal := tracked.leave(v.from, exists && v.from == s.Name)
		if !isReal {
			continue
		}
		lost = lost || isLater && exists && v.from == s.Name
		if v.to == "" {
			continue
		}
		if v.to == s.Name && !lost && (exists || isLater && v.verb == created) {
			if !isLater { // names are unique: whoever had this one before had lost it by then
				tracked.forgetSubject()
			}
			moving.wasSubject, exists = true, true
		}
		if v.verb == renamed {
			moving.last = v.change
		}
		tracked[v.to] = moving
	}
	if now := tracked[s.NameNow]; now != nil && now.wasSubject {
		return now.last
	}
	return nil
}
