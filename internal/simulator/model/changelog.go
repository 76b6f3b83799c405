// What 5.3 notes of each creation, change and deletion.

package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// unlogged are the properties whose changes are not noted.
var unlogged = []string{"last_modified", "last_modified_by", "last_run", "builder_link", "labels", "positions",
	"configuration", "operational_data", "specialized_data", "small_menu", "theme", "zoom_sensitivity", "device_number", "link_number"}

func isLogged(m *database.Type, property string) bool {
	return !slices.Contains(unlogged, property) && !(m.Class == "service" && property == "path") &&
		!(strings.HasPrefix(property, "last_") && m.Class == "device")
}

// Commit commits what the session has done, and notes it.
func (s *Session) Commit() error {
	created, before := s.Changed()
	if err := s.Tx.Commit(); err != nil || s.Version == V47 {
		return err
	}
	for _, o := range created {
		if o.Type.Relations["logs"] != nil {
			s.Note(o, "", fmt.Sprintf("CREATION: %s '%s'", o.Type.Name, o.Name()), python.Pairs("creation", true))
		}
	}
	changed := slices.SortedFunc(maps.Keys(before), func(a, b *database.Object) int { return int(a.ID - b.ID) })
	for _, o := range changed {
		s.noteChange(o, before[o])
	}
	return s.Tx.Commit()
}

func (s *Session) noteChange(o *database.Object, before map[string]any) {
	if !o.IsStored() || o.Type.Relations["logs"] == nil {
		return
	}
	content, history, properties, lists := "", python.NewDict(), python.NewDict(), python.NewDict()
	for _, name := range slices.Sorted(maps.Keys(before)) {
		old, now := before[name], o.Get(name)
		if members, isList := old.([]*database.Object); isList {
			left, joined := missing(members, o.Members(name)), missing(o.Members(name), members)
			if len(left)+len(joined) > 0 {
				lists.Set(name, python.Pairs("added", ids(joined), "deleted", ids(left), "type", o.Type.Relations[name].Target))
				properties.Set(name, python.Pairs("old", names(left), "new", names(joined)))
				content += "\n- " + name + ": "
			}
			continue
		}
		if isLogged(o.Type, name) && python.Repr(old) != python.Repr(now) {
			properties.Set(name, python.Pairs("old", old, "new", now))
			content += fmt.Sprintf("\n- %s: '%v' => '%v'", name, old, now)
		}
	}
	for key, part := range map[string]*python.Dict{"properties": properties, "lists": lists} {
		if part.Size() > 0 {
			history.Set(key, part)
		}
	}
	if content != "" {
		s.Note(o, "ReST API", fmt.Sprintf("UPDATE: %s '%s':\n%s", o.Type.Name, o.Name(), content), history)
	}
}

// missing returns those of a list that another one lacks.
func missing(list, other []*database.Object) []*database.Object {
	return slices.DeleteFunc(slices.Clone(list), func(o *database.Object) bool { return slices.Contains(other, o) })
}

func ids(list []*database.Object) []any {
	all := []any{}
	for _, o := range list {
		all = append(all, o.ID)
	}
	return all
}

func names(list []*database.Object) string {
	all := []string{}
	for _, o := range list {
		all = append(all, o.Name())
	}
	return strings.Join(all, "\n")
}

// Note adds an entry to the changelog; one without an object or a history is of a deletion.
func (s *Session) Note(o *database.Object, source, content string, history *python.Dict) {
	if s.Version == V47 {
		return
	}
	author := ""
	if s.User != nil {
		author = s.User.Name()
	}
	entry, target := s.NewObject("changelog"), "None"
	if o != nil {
		target = o.Name()
		s.SetOne(entry, entry.Type.Relations[o.Type.Relations["logs"].Reverse], o)
		for property, value := range map[string]any{"target_name": target, "target_type": o.Type.Name, "target_id": o.ID, "history": history} {
			s.Set(entry, property, value)
		}
	}
	for property, value := range map[string]any{"name": target + " updated by " + author, "author": author, "source": source,
		"content": content, "severity": "info", "time": s.timestamp(), "is_revertible": history.Size() > 0 && author != ""} {
		s.Set(entry, property, value)
	}
	s.Pend(entry)
}
