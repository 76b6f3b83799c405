// JSON objects: those that are read keep the order of their keys, because eNMS assigns
// fields in that order (0.1); those that are written lose it.

package python

import "slices"

// Dict is a JSON object that remembers the order of its keys.
type Dict struct {
	Keys   []string
	values map[string]any
}

// NewDict returns an empty dict.
func NewDict() *Dict { return &Dict{values: map[string]any{}} }

// Pairs returns a dict of alternating keys and values.
func Pairs(keysAndValues ...any) *Dict {
	d := NewDict()
	for i := 0; i < len(keysAndValues); i += 2 {
		d.Set(keysAndValues[i].(string), keysAndValues[i+1])
	}
	return d
}

// Get returns the value of a key, nil where there is none.
func (d *Dict) Get(key string) any {
	v, _ := d.Lookup(key)
	return v
}

// Lookup returns the value of a key and reports whether the dict has it; a nil dict has
// none.
func (d *Dict) Lookup(key string) (any, bool) {
	if d == nil {
		return nil, false
	}
	v, ok := d.values[key]
	return v, ok
}

// Dict returns the value of a key that is an object itself, nil where there is none.
func (d *Dict) Dict(key string) *Dict {
	v, _ := d.Get(key).(*Dict)
	return v
}

// Size returns the number of keys.
func (d *Dict) Size() int {
	if d == nil {
		return 0
	}
	return len(d.Keys)
}

// Set keeps the place of a key that is already there, as Python does.
func (d *Dict) Set(key string, value any) {
	if _, ok := d.values[key]; !ok {
		d.Keys = append(d.Keys, key)
	}
	d.values[key] = value
}

// Pop removes a key and returns its value.
func (d *Dict) Pop(key string) (any, bool) {
	v, ok := d.values[key]
	if ok {
		delete(d.values, key)
		d.Keys = slices.DeleteFunc(d.Keys, func(k string) bool { return k == key })
	}
	return v, ok
}

// Merged returns a new dict: d with the keys of over on top.
func (d *Dict) Merged(over *Dict) *Dict {
	out := NewDict()
	for _, from := range []*Dict{d, over} {
		if from == nil {
			continue
		}
		for _, key := range from.Keys {
			out.Set(key, from.values[key])
		}
	}
	return out
}

// Record is a JSON object of an answer.
type Record []Member

// Member is a key of a record and its value.
type Member struct {
	Key   string
	Value any
}

// NewRecord returns a record of alternating keys and values.
func NewRecord(keysAndValues ...any) Record { return Record(nil).With(keysAndValues...) }

// With returns the record with alternating keys and values added.
func (r Record) With(keysAndValues ...any) Record {
	for i := 0; i < len(keysAndValues); i += 2 {
		r = append(r, Member{keysAndValues[i].(string), keysAndValues[i+1]})
	}
	return r
}

// record returns the keys of the dict as those of an answer.
func (d *Dict) record() Record {
	r := make(Record, 0, len(d.Keys))
	for _, key := range d.Keys {
		r = append(r, Member{key, d.values[key]})
	}
	return r
}
