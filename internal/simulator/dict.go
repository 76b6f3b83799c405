// JSON objects: those that are read keep the order of their keys, because eNMS assigns
// fields in that order (0.1); those that are written lose it.

package simulator

import "slices"

// dict is a JSON object that remembers the order of its keys.
type dict struct {
	keys   []string
	values map[string]any
}

// newDict returns an empty dict.
func newDict() *dict { return &dict{values: map[string]any{}} }

// pairs returns a dict of alternating keys and values.
func pairs(keysAndValues ...any) *dict {
	d := newDict()
	for i := 0; i < len(keysAndValues); i += 2 {
		d.set(keysAndValues[i].(string), keysAndValues[i+1])
	}
	return d
}

// get returns the value of a key, nil where there is none.
func (d *dict) get(key string) any {
	v, _ := d.lookup(key)
	return v
}

// lookup returns the value of a key and reports whether the dict has it; a nil dict has
// none.
func (d *dict) lookup(key string) (any, bool) {
	if d == nil {
		return nil, false
	}
	v, ok := d.values[key]
	return v, ok
}

// dict returns the value of a key that is an object itself, nil where there is none.
func (d *dict) dict(key string) *dict {
	v, _ := d.get(key).(*dict)
	return v
}

// size returns the number of keys.
func (d *dict) size() int {
	if d == nil {
		return 0
	}
	return len(d.keys)
}

// set keeps the place of a key that is already there, as Python does.
func (d *dict) set(key string, value any) {
	if _, ok := d.values[key]; !ok {
		d.keys = append(d.keys, key)
	}
	d.values[key] = value
}

// pop removes a key and returns its value.
func (d *dict) pop(key string) (any, bool) {
	v, ok := d.values[key]
	if ok {
		delete(d.values, key)
		d.keys = slices.DeleteFunc(d.keys, func(k string) bool { return k == key })
	}
	return v, ok
}

// merged returns a new dict: d with the keys of over on top.
func (d *dict) merged(over *dict) *dict {
	out := newDict()
	for _, from := range []*dict{d, over} {
		if from == nil {
			continue
		}
		for _, key := range from.keys {
			out.set(key, from.values[key])
		}
	}
	return out
}

// record is a JSON object of an answer.
type record []member

// member is a key of a record and its value.
type member struct {
	key   string
	value any
}

// newRecord returns a record of alternating keys and values.
func newRecord(keysAndValues ...any) record { return record(nil).with(keysAndValues...) }

// with returns the record with alternating keys and values added.
func (r record) with(keysAndValues ...any) record {
	for i := 0; i < len(keysAndValues); i += 2 {
		r = append(r, member{keysAndValues[i].(string), keysAndValues[i+1]})
	}
	return r
}

// record returns the keys of the dict as those of an answer.
func (d *dict) record() record {
	r := make(record, 0, len(d.keys))
	for _, key := range d.keys {
		r = append(r, member{key, d.values[key]})
	}
	return r
}
