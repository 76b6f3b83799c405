// This file reads and writes the labels of workflows (enms-rest.md 1.17).

package layout

import (
	"encoding/json"
	"maps"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// label is a text in the Workflow Builder.
type label struct {
	text, alignment string
	at              position
	size            json.Number
}

// labels are the labels of a workflow, by the keys of eNMS.
type labels map[string]any

// The values with which eNMS draws a label that has none of its own.
const (
	defaultAlignment = "center"
	defaultSize      = 14
	defaultSizeText  = "14"
)

// alignments are the alignments in eNMS's form.
var alignments = []string{"left", "center", "right"}

// eNMS has UUIDs as keys of labels. The Workflow Builder recognizes labels by the length of their keys, and
// eNMS by the hyphen (enms-rest.md 1.17), so the keys of a configuration are filled up with hyphens.
const (
	keyLength    = 36
	filler       = "-"
	maxConfigKey = keyLength - len(filler)
)

// configKeyPattern matches a key of a configuration: a UUID, or a shorter word.
var configKeyPattern = regexp.MustCompile(`^[0-9A-Za-z_]([0-9A-Za-z_.-]{0,33}[0-9A-Za-z_])?$|^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`)

// enmsKey returns the key in eNMS for a key of the configuration.
func enmsKey(key string) string {
	return key + strings.Repeat(filler, max(0, keyLength-len(key)))
}

// configKey returns the key in a configuration for a key of eNMS. It can be invalid, because another client can write
// any key.
func configKey(enmsKey string) string {
	if key := strings.TrimRight(enmsKey, filler); configKeyPattern.MatchString(key) {
		return key
	}
	return enmsKey
}

// labelsOf reads the labels of an answer.
func labelsOf(x any) labels {
	stored, _ := x.(map[string]any)
	return stored
}

// get returns a label by its key in the configuration. is is false if there is none that can be read.
func (l labels) get(key string) (found label, is bool) {
	for _, name := range []string{enmsKey(key), key} {
		if x, has := l[name]; has {
			return labelOf(x)
		}
	}
	return label{}, false
}

// keys returns the keys in a configuration of all labels that can be read.
func (l labels) keys() map[string]bool {
	keys := map[string]bool{}
	for name, x := range l {
		key := configKey(name)
		if _, is := labelOf(x); is && configKeyPattern.MatchString(key) {
			keys[key] = true
		}
	}
	return keys
}

// labelOf reads a label, whose coordinates and size may be strings. is is false if it has no text or no
// position.
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

// numberOf reads a number, or a string with one.
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

// payload returns the label as eNMS stores it.
func (l label) payload() map[string]any {
	return map[string]any{"content": l.text, "positions": l.at.payload(), "alignment": l.alignment, "size": l.size}
}

// equal reports whether two labels look the same.
func (l label) equal(other label) bool {
	return value.SameText(l.text, other.text) && l.alignment == other.alignment && l.at.equal(other.at) && value.Equal(l.size, other.size)
}

// with returns the labels with those of wanted, and without those of removed. Both have the keys of the configuration.
// changed reports whether anything is different.
func (l labels) with(wanted map[string]label, removed []string) (all labels, changed bool) {
	all = maps.Clone(l)
	if all == nil {
		all = labels{}
	}
	for _, key := range removed {
		for _, name := range []string{key, enmsKey(key)} {
			if _, has := all[name]; has {
				delete(all, name)
				changed = true
			}
		}
	}
	for key, want := range wanted {
		if have, is := l.get(key); is && have.equal(want) {
			continue
		}
		delete(all, key) // another client may have written it like that
		all[enmsKey(key)] = want.payload()
		changed = true
	}
	return all, changed
}
