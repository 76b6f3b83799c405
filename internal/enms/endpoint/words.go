// This file learns which line of eNMS this is from the rows that eNMS returns (enms-rest.md 11.1). It
// translates rows of eNMS 5 to those of 4.7, and payloads of 4.7 to those of eNMS 5: callers use the words
// of 4.7.

package endpoint

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// line is what is known of the line of eNMS, and the words in which eNMS 5 differs.
type line struct {
	words  object.Words
	number atomic.Int32 // object.Line4 or object.Line5; 0 until it is known

	asking  sync.Mutex // held while eNMS is asked for what follows
	asked   bool       // eNMS was asked for the user
	self    Object     // the user; nil if eNMS did not return it
	service Object     // one that every eNMS has, for keepsObjects; nil until eNMS was asked for it
}

// dated are types whose instances all have LineField on eNMS 5: without it, this is 4.7.
var dated = []string{"user", deviceType, linkType, "service", "pool", "task", "credential", "group"}

// learn learns the line from rows of a type: it is 5 if any row has LineField, and 4 if a row of a dated type
// lacks it, unless another row has shown that it is 5.
func (l *line) learn(typ string, rows ...Object) {
	for _, row := range rows {
		if _, has := row[object.LineField]; has {
			l.number.Store(object.Line5)
		} else if _, has := row["name"]; has && slices.Contains(dated, typ) {
			l.number.CompareAndSwap(0, object.Line4)
		}
	}
}

// positionsField is the field with the positions.
const positionsField = "positions"

// translate learns the line of eNMS from rows of a type, and changes those of eNMS 5 in place to what 4.7 would have
// returned. The types of plainTypes, which only eNMS 5 has, are replaced even while the line is not known yet.
func (l *line) translate(typ string, rows ...Object) {
	l.learn(typ, rows...)
	for _, row := range rows {
		if plain, is := plainTypes[String(row, "type")]; is {
			row["type"] = plain
		}
		if l.number.Load() == object.Line5 {
			l.like4(row)
		}
	}
}

// plainTypes maps the types of devices and links that were upgraded to eNMS 5 to those of 4.7.
var plainTypes = map[string]string{"generic_device": deviceType, "generic_link": linkType}

// like4 changes a row of eNMS 5 to what 4.7 would have returned.
func (l *line) like4(row Object) {
	typ := String(row, "type")
	for from, to := range l.words.Renamed[typ] {
		if value, has := row[to]; has {
			if !slices.Contains(l.words.Inverses[typ], to) {
				delete(row, to)
			}
			row[from] = value
		}
	}
	for _, field := range l.words.Texts[typ] {
		if text, is := row[field].(string); is {
			if members := object.InText(text); members != nil {
				row[field] = members
			}
		}
	}
}

// serializedField is a field of networks on 5.2. eNMS writes into it all fields of the network, its own former value
// included, so that it doubles with each write, unless the write empties it (enms-rest.md 11.2). 5.3 ignores it.
const serializedField = "serialized"

// like5 returns a payload of 4.7 as eNMS 5 takes it. keepsObjects is set for an eNMS that stores objects in
// fields in which 5.3 stores their text (Client.keepsObjects).
func (l *line) like5(typ string, payload Object, keepsObjects bool) Object {
	sent := Object{}
	for field, value := range payload {
		if members, is := value.(map[string]any); is && !keepsObjects && slices.Contains(l.words.Texts[typ], field) {
			value = object.Text(members)
		}
		name := l.nameOn5(typ, field)
		if other, both := sent[name]; both { // what eNMS 4 has as two relations
			value = members(other, value)
		}
		sent[name] = value
	}
	if typ == networkType {
		sent[serializedField] = ""
	}
	if _, scoped := payload["scoped_name"]; scoped {
		// eNMS undoes new_name, although "success" shows it: the scoped name alone renames the service.
		delete(sent, "new_name")
	}
	return sent
}

// members returns the names in any of two relations.
func members(x, y any) []string {
	some, _ := object.Names(x)
	more, _ := object.Names(y)
	all := slices.Concat(some, more)
	slices.Sort(all)
	return slices.Compact(all)
}

// addRelations adds to the answer to a deletion on eNMS 5 the relations that the instance had before: as 4.7
// returns them, with the positions in a workflow or network at each of its members. The answer of 5.3 has
// columns alone; that of 5.2 has the members without their positions. Both have the positions in one field.
func addRelations(deleted, before Object) {
	positions, _ := deleted[positionsField].(map[string]any)
	delete(deleted, positionsField)
	for field, value := range before {
		members, isList := value.([]any)
		now, isAnswered := deleted[field]
		isColumn := !isList || isAnswered && !holdsObjects(now)
		if isColumn {
			continue
		}
		objects := make([]any, len(members))
		for i, name := range members {
			member := Object{"name": name}
			if at, has := positions[Text(name)]; has {
				member[positionsField] = map[string]any{String(before, "name"): at}
			}
			objects[i] = member
		}
		deleted[field] = objects
	}
}

// holdsObjects reports whether a value is a list with an object in it.
func holdsObjects(x any) bool {
	list, _ := x.([]any)
	return slices.ContainsFunc(list, func(member any) bool { _, is := member.(map[string]any); return is })
}

// differs reports whether like5 would change a payload. A payload of a network counts only if this is known to
// be eNMS 5, so that networks of 4.7 take no request for the line.
func (l *line) differs(typ string, payload Object) bool {
	_, renames := payload["new_name"]
	_, scoped := payload["scoped_name"]
	if renames && scoped {
		return true
	}
	if typ == networkType && l.number.Load() == object.Line5 || l.holdsText(typ, payload) {
		return true
	}
	for field := range payload {
		if l.words.Renamed[typ][field] != "" {
			return true
		}
	}
	return false
}

// holdsText reports whether a payload has an object that eNMS 5.3 stores as text.
func (l *line) holdsText(typ string, payload Object) bool {
	return slices.ContainsFunc(l.words.Texts[typ], func(field string) bool {
		_, is := payload[field].(map[string]any)
		return is
	})
}

// nameOn5 returns the name of a field on eNMS 5.
func (l *line) nameOn5(typ, field string) string {
	if other := l.words.Renamed[typ][field]; other != "" {
		return other
	}
	return field
}
