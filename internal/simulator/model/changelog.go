// The changelog of creations, changes and deletions (11.9). That of 4.7 has no history.

package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// unlogged are the properties whose changes are not in the changelog.
var unlogged = []string{"last_modified", "last_modified_by", "last_run", "builder_link", "labels", "positions",
	"configuration", "operational_data", "specialized_data", "small_menu", "theme", "zoom_sensitivity"}

// unlogged53 are those of 5.3 alone.
var unlogged53 = []string{"device_number", "link_number"}

// logsProperty reports whether changes of a property are in the changelog.
func (s *Session) logsProperty(m *database.Type, property string) bool {
	switch {
	case slices.Contains(unlogged, property), m.Class == "device" && strings.HasPrefix(property, "last_"):
		return false
	case s.Version == V47:
		return true
	}
	column := m.Class == "link" && m.Columns[property] != nil
	return !slices.Contains(unlogged53, property) && (m.Class != "service" || property != "path") && !column
}

// logsType reports whether objects of a type are in the changelog at all.
func (s *Session) logsType(m *database.Type) bool {
	if s.Version == V47 {
		return m.Class != "run" && m.Class != "result" && m.Class != "changelog"
	}
	return m.Relations["logs"] != nil
}

// Commit commits the changes of the session, and then the entries of the changelog about them.
func (s *Session) Commit() error {
	created, before, erased := s.Changed()
	if err := s.Tx.Commit(); err != nil || s.Silent {
		return err
	}
	changed := slices.SortedFunc(maps.Keys(before), func(a, b *database.Object) int { return int(a.ID - b.ID) })
	for _, o := range changed {
		if o.IsStored() && s.logsType(o.Type) {
			s.noteChange(o, before[o])
		}
	}
	for _, o := range created {
		if s.logsType(o.Type) {
			s.NoteCreation(o)
		}
	}
	slices.SortStableFunc(erased, func(a, b *database.Object) int {
		return cmp.Or(cmp.Compare(erasure(a), erasure(b)), cmp.Compare(a.ID, b.ID))
	})
	for _, o := range erased {
		if s.logsType(o.Type) {
			s.Note(nil, "", fmt.Sprintf("DELETION: %s '%s'", o.Type.Name, o.Name()), nil)
		}
	}
	return s.Tx.Commit()
}

// erasure returns the place of an object in the order in which the objects of a session are deleted: those that refer
// to others come first.
func erasure(o *database.Object) int {
	if at := slices.Index([]string{"task", "workflow_edge", "link"}, o.Type.Class); at >= 0 {
		return at
	}
	return 3
}

// NoteCreation adds the entry of a new object.
func (s *Session) NoteCreation(o *database.Object) {
	s.Note(o, "", fmt.Sprintf("CREATION: %s '%s'%s", o.Type.Name, o.Name(), s.initial(o)), python.Pairs("creation", true))
}

// initial returns the properties of a new object in words. The changelog of 4.7 does not have them.
func (s *Session) initial(o *database.Object) string {
	if s.Version == V47 {
		return ""
	}
	properties := python.NewDict()
	for _, name := range o.Type.Properties {
		if value, has := o.Property(name); has && s.logsProperty(o.Type, name) && !s.Lacks(o.Type, name) {
			properties.Set(name, value)
		}
	}
	return " (" + python.Repr(properties) + ")"
}

// noteChange adds the entry of an update, given the former values of properties. There is none if no value differs,
// or only values that are not logged.
func (s *Session) noteChange(o *database.Object, before map[string]any) {
	history := map[string]*python.Dict{"properties": python.NewDict(), "lists": python.NewDict(), "scalars": python.NewDict()}
	var changes []string
	names := slices.SortedFunc(maps.Keys(before), func(a, b string) int {
		return cmp.Or(cmp.Compare(precedence(o.Type, a), precedence(o.Type, b)), strings.Compare(a, b))
	})
	for _, name := range names {
		if o.Type.Columns[name] != nil || s.logsProperty(o.Type, name) {
			changes = append(changes, s.noteProperty(history, o, name, before[name])...)
		}
	}
	if len(changes) > 0 {
		_, renamed := before["name"]
		s.noteUpdate(o, renamed, changes, history)
	}
}

// precedence returns the place of a property in an entry. What is not in the lists comes last, in another order than
// that of eNMS.
func precedence(m *database.Type, name string) int {
	first := ofOthers
	if m.Table == "object" {
		first = ofInventory
	}
	if at := slices.Index(first, name); at >= 0 {
		return at
	}
	return len(first)
}

// The properties that come first in an entry.
var (
	ofInventory = []string{"creator", "subtype", "description", "model", "location", "vendor", "source_id", "destination_id", "name"}
	ofOthers    = []string{"workflows", "name", "path", "scoped_name"}
)

// noteProperty adds the change of a property that is no secret to the history, and returns it in words, or nil if there is
// nothing to log. If name is the id column of a relation to one, it notes the change of the relation, and that of the
// column only if eNMS logs it.
func (s *Session) noteProperty(history map[string]*python.Dict, o *database.Object, name string, old any) (changes []string) {
	if r := o.Type.Relations[name]; r != nil {
		was, _ := old.([]*database.Object)
		return s.noteList(history, name, s.Types[r.Target].Class, anys(was), anys(o.Members(name)))
	}
	now, field := o.Get(name), o.Type.Fields[name]
	if was, isList := old.([]any); isList && field != nil && field.Kind == database.KindList {
		is, _ := now.([]any)
		return s.noteList(history, name, "str", was, is)
	}
	isSecret := field != nil && field.Kind == database.KindSecret
	switch {
	case python.Repr(old) == python.Repr(now), isSecret && s.Version == V47:
		return nil
	case isSecret:
		return []string{name + ": updated"}
	}
	if r := o.Type.Columns[name]; r != nil {
		was, is := s.ByID(r.Target, old), s.ByID(r.Target, now)
		if was != nil {
			history["scalars"].Set(r.Name, python.Pairs("id", was.ID, "name", was.Name(), "type", was.Type.Name))
		}
		if was != nil || is != nil {
			changes = append(changes, change(r.Name, nameOf(was), nameOf(is)))
		}
		if !s.logsProperty(o.Type, name) {
			return changes
		}
	}
	history["properties"].Set(name, python.Pairs("old", old, "new", now))
	return append(changes, change(name, old, now))
}

// noteList is noteProperty for a list or a relation to many, with members of a type.
func (s *Session) noteList(history map[string]*python.Dict, name, typ string, was, is []any) []string {
	left, joined := missing(was, is), missing(is, was)
	if len(left)+len(joined) == 0 {
		return nil
	}
	history["lists"].Set(name, python.Pairs("added", ids(joined), "deleted", ids(left), "type", typ))
	history["properties"].Set(name, python.Pairs("old", joinedNames(left), "new", joinedNames(joined)))
	return []string{name + ": " + s.moved(left, joined)}
}

// noteUpdate adds the entry of an update.
func (s *Session) noteUpdate(o *database.Object, renamed bool, changes []string, history map[string]*python.Dict) {
	noted, source := python.NewDict(), "ReST API"
	for part, content := range history {
		if content.Size() > 0 {
			noted.Set(part, content)
		}
	}
	if renamed && o.Type.Class != "service" {
		source = "" // eNMS looks for the source under the new name, but has it under the former one
	}
	content := ": (" + strings.Join(changes, " | ") + ")"
	if s.Version == V53 {
		content = ":\n\n- " + strings.Join(changes, "\n- ")
	}
	s.Note(o, source, fmt.Sprintf("UPDATE: %s '%s'%s", o.Type.Name, o.Name(), content), noted)
}

// moved returns which members were removed from a list and added to it, in words.
func (s *Session) moved(left, joined []any) string {
	words, between, parts := [2]string{"DELETED: ", "ADDED: "}, " / ", []string{}
	if s.Version == V53 {
		words, between = [2]string{" - Removed: ", " - Added: "}, ""
	}
	for i, list := range [][]any{left, joined} {
		if len(list) > 0 {
			texts := make([]string, len(list))
			for j, member := range list {
				texts[j] = python.Repr(member)
				if o, is := member.(*database.Object); is {
					texts[j] = o.Name()
				}
			}
			parts = append(parts, words[i]+"["+strings.Join(texts, ", ")+"]")
		}
	}
	return strings.Join(parts, between)
}

// change returns the change of a value in words.
func change(name string, old, now any) string {
	return fmt.Sprintf("%s: '%s' => '%s'", name, str(old), str(now))
}

// str returns Python's str of a value.
func str(v any) string {
	if text, is := v.(string); is {
		return text
	}
	return python.Repr(v)
}

func anys(objects []*database.Object) []any {
	list := make([]any, len(objects))
	for i, o := range objects {
		list[i] = o
	}
	return list
}

// missing returns the members of a list that another list does not have, by their names.
func missing(list, other []any) []any {
	names := map[any]bool{}
	for _, v := range other {
		names[nameOf(v)] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool { return names[nameOf(v)] })
}

// ids returns a list with objects replaced by their ids.
func ids(list []any) []any {
	all := []any{}
	for _, v := range list {
		if o, is := v.(*database.Object); is {
			v = o.ID
		}
		all = append(all, v)
	}
	return all
}

// joinedNames returns the names of the objects, or the values, of a list, each on a line of its own.
func joinedNames(list []any) string {
	all := []string{}
	for _, v := range list {
		all = append(all, str(nameOf(v)))
	}
	return strings.Join(all, "\n")
}

// nameOf returns the name of an object, nil for no object, and Python's str of any other value.
func nameOf(v any) any {
	o, is := v.(*database.Object)
	switch {
	case !is:
		return str(v)
	case o == nil:
		return nil
	}
	return o.Name()
}

// refuseEntry refuses entries that a caller writes, because those of 4.7 have no name.
func refuseEntry(*Session, *database.Object, *python.Dict) (func() error, error) {
	return nil, python.Raise("AttributeError", "type object 'Changelog' has no attribute 'name'")
}

// updateEntry signs an entry that a caller writes, with the time and, unless the caller has sent an author, the caller.
func updateEntry(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if _, sent := entry.Lookup("history"); !sent && !o.IsStored() {
		s.Set(o, "history", python.NewDict())
	}
	return func() error {
		if !python.Truthy(entry.Get("author")) {
			s.Set(o, "author", s.UserName())
		}
		s.Set(o, "time", s.timestamp())
		s.sign(o)
		return nil
	}, nil
}

// sign computes what eNMS computes of an entry of 5.3.
func (s *Session) sign(entry *database.Object) {
	author := entry.Text("author")
	s.SetAll(entry, map[string]any{"name": str(entry.Get("target_name")) + " updated by " + author,
		"is_revertible": python.Truthy(entry.Get("history")) && author != ""})
}

// Note adds an entry to the changelog. That of a deletion has no object and no history.
func (s *Session) Note(o *database.Object, source, content string, history *python.Dict) {
	author := ""
	if s.User != nil {
		author = s.User.Name()
	}
	entry := s.NewObject("changelog")
	s.SetAll(entry, map[string]any{"content": content, "severity": "info", "time": s.timestamp()})
	if s.Version == V47 {
		s.Set(entry, "user", author)
		s.Pend(entry)
		return
	}
	if o != nil {
		s.SetOne(entry, entry.Type.Relations[o.Type.Relations["logs"].Reverse], o)
		s.SetAll(entry, map[string]any{"target_name": o.Name(), "target_type": o.Type.Name, "target_id": o.ID, "history": history})
	}
	s.SetAll(entry, map[string]any{"author": author, "source": source})
	s.sign(entry)
	s.Pend(entry)
}
