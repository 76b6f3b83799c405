// This file reads and writes the labels of workflows (enms-rest.md 1.17).

package layout

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// label is a text that the Workflow Builder draws.
type label struct {
	text, alignment string
	at              position
	size            json.Number
}

// labels are those of a workflow, by eNMS's keys.
type labels map[string]any

// What a label has that eNMS draws without it.
const (
	defaultAlignment = "center"
	defaultSize      = 14
	defaultSizeText  = "14"
)

// alignments are those that eNMS's form offers.
var alignments = []string{"left", "center", "right"}

// The lengths of the keys that eNMS gives to labels, which are UUIDs, and of those of a
// configuration. By the length, the Workflow Builder tells labels from services, and by the
// hyphen, eNMS does (enms-rest.md 1.17).
const (
	keyLength   = 36
	filler      = "-"
	ownKeyLimit = keyLength - len(filler)
)

// ownKey is a key of a configuration: a UUID of eNMS's, or a shorter word that is filled up.
var ownKey = regexp.MustCompile(`^[0-9A-Za-z_]([0-9A-Za-z_.-]{0,33}[0-9A-Za-z_])?$|^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

// stored returns the key that eNMS has for a key of the configuration.
func stored(key string) string {
	return key + strings.Repeat(filler, max(0, keyLength-len(key)))
}

// own returns the key of the configuration for a key of eNMS. A key that was never filled up
// stands for itself until its label is written.
func own(stored string) string {
	if key := strings.TrimRight(stored, filler); ownKey.MatchString(key) {
		return key
	}
	return stored
}

// labelsOf reads the labels of an answer.
func labelsOf(x any) labels {
	stored, _ := x.(map[string]any)
	return stored
}

// get returns a label by its own key.
func (l labels) get(key string) (found label, is bool) {
	for _, name := range []string{stored(key), key} {
		if x, has := l[name]; has {
			return labelOf(x)
		}
	}
	return label{}, false
}

// keys returns the own keys of all labels that can be read.
func (l labels) keys() map[string]bool {
	keys := map[string]bool{}
	for name, x := range l {
		if _, is := labelOf(x); is && ownKey.MatchString(own(name)) {
			keys[own(name)] = true
		}
	}
	return keys
}

// labelOf reads a label. Its form sends coordinates and sizes as strings or numbers; what eNMS
// draws in another way than as a text at a place is none.
func labelOf(x any) (l label, is bool) {
	stored, _ := x.(map[string]any)
	pair, _ := stored["positions"].([]any)
	l.text, is = stored["content"].(string)
	if !is || len(pair) != 2 {
		return l, false
	}
	if l.alignment, is = stored["alignment"].(string); !is || l.alignment == "" {
		l.alignment = defaultAlignment
	}
	var xIs, yIs, sizeIs bool
	l.at.x, xIs = numberOf(pair[0])
	l.at.y, yIs = numberOf(pair[1])
	if l.size, sizeIs = numberOf(stored["size"]); !sizeIs {
		l.size = defaultSizeText
	}
	return l, xIs && yIs
}

// numberOf reads a number, or one in a string.
func numberOf(x any) (json.Number, bool) {
	if text, is := x.(string); is {
		x = json.Number(strings.TrimSpace(text))
	}
	n, is := x.(json.Number)
	if _, err := n.Float64(); err != nil {
		return "", false
	}
	return n, is
}

// payload returns the label as eNMS keeps it.
func (l label) payload() map[string]any {
	return map[string]any{"content": l.text, "positions": l.at.payload(), "alignment": l.alignment, "size": l.size}
}

// equal reports whether two labels are drawn alike.
func (l label) equal(other label) bool {
	return value.SameText(l.text, other.text) && l.alignment == other.alignment && l.at.equal(other.at) && value.Equal(l.size, other.size)
}

// with returns the labels after adding or changing some and removing others, by their keys.
// changed reports whether that makes a difference.
func (l labels) with(drawn map[string]label, removed []string) (all labels, changed bool) {
	all = maps.Clone(l)
	if all == nil {
		all = labels{}
	}
	for _, key := range removed {
		for _, name := range []string{key, stored(key)} {
			if _, has := all[name]; has {
				delete(all, name)
				changed = true
			}
		}
	}
	for key, want := range drawn {
		if have, is := l.get(key); is && have.equal(want) {
			continue
		}
		delete(all, key)
		all[stored(key)] = want.payload()
		changed = true
	}
	return all, changed
}
