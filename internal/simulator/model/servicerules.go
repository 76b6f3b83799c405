// What eNMS does with services, workflows and edges, apart from storing values: the names of services in
// workflows (1.5), and the positions of services, devices and networks, which are stored by the name of
// the workflow or network (1.16).

package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// constructService ignores the status in a creation, because it cannot be set (1.5).
func constructService(_ *Session, _ *database.Object, entry *python.Dict) error {
	entry.Pop("status")
	return nil
}

// constructWorkflow adds Start and End to a new workflow, unless it is imported.
func constructWorkflow(s *Session, o *database.Object, entry *python.Dict) error {
	if !imported(entry) {
		ends := []*database.Object{s.Scoped("Start"), s.Scoped("End")}
		ends = slices.DeleteFunc(ends, func(end *database.Object) bool { return end == nil })
		s.SetMany(o, o.Type.Relations["services"], ends)
		if s.Version == V53 {
			s.Set(o, "positions", python.NewDict())
		}
	}
	return constructService(s, o, entry)
}

// Scoped returns the first service with a scoped name, such as the Start that all workflows share, or nil.
func (s *Session) Scoped(name string) *database.Object {
	for _, service := range s.All("service") {
		if service.Text("scoped_name") == name {
			return service
		}
	}
	return nil
}

// placeEnd sets the position of End in a new workflow, unless End has a position under the name of the workflow.
func placeEnd(s *Session, workflow *database.Object, entry *python.Dict) {
	end := s.Scoped("End")
	if end == nil || imported(entry) {
		return
	}
	if _, placed := end.Dict("positions").Lookup(workflow.Name()); !placed {
		s.place(end, workflow.Name(), []any{int64(500), int64(0)})
	}
}

// updateService merges the positions of a service, and does what updateNamed does.
func updateService(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return updateNamed(s, o, entry), nil
}

// updateNamed returns what runs after the assignments to a service. It sets disabled_info. Unless the service is
// imported, it also computes the name, and records who changed the service and with it the workflows above it.
func updateNamed(s *Session, o *database.Object, entry *python.Dict) func() error {
	wasDisabled := o.Is("disabled")
	return func() error {
		switch {
		case o.Is("disabled") && !wasDisabled:
			s.Set(o, "disabled_info", fmt.Sprintf("Disabled at %s by %s", s.timestamp(), s.UserName()))
		case !o.Is("disabled"):
			s.Set(o, "disabled_info", "")
		}
		if imported(entry) {
			return nil
		}
		if err := s.setServiceName(o, 0); err != nil {
			return err
		}
		s.touch(o)
		for _, ancestor := range ancestors(o, nil) {
			s.Set(ancestor, "last_modified", o.Get("last_modified"))
			s.Set(ancestor, "last_modified_by", o.Get("last_modified_by"))
		}
		return nil
	}
}

// updateMember is updateService on 5.3, where workflows store the positions of their services by name. It refuses
// changes that only the owners may make.
func updateMember(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	if o.Text("path") != "" { // it is not new
		if err := s.Restricted(o, "edit"); err != nil {
			return nil, err
		}
	}
	oldName, after := o.Name(), updateNamed(s, o, entry)
	return func() error {
		if err := after(); err != nil || imported(entry) {
			return err
		}
		return s.movePositions(o.Members("workflows"), oldName, o.Name())
	}, nil
}

// movePositions has workflows or networks store the position of a member under its new name.
func (s *Session) movePositions(containers []*database.Object, oldName, newName string) error {
	for _, in := range containers {
		if in.Dict("positions") == nil {
			return python.Raise("AttributeError", "'NoneType' object has no attribute 'pop'")
		}
		positions := python.NewDict().Merged(in.Dict("positions"))
		at, placed := positions.Pop(oldName)
		if !placed {
			at = []any{int64(0), int64(0)}
		}
		positions.Set(newName, at)
		s.Set(in, "positions", positions)
	}
	return nil
}

// postedService is the hook Posted of services: it computes the path, the name and the builder_link. The path begins
// with that of the workflow if exactly one has the service, and the service is not shared. The link has the persistent
// ids on the path of the workflow that the builder opens: of the service itself if it is a workflow, otherwise of the only
// workflow that has it. If there is none, the link is empty.
func postedService(s *Session, o *database.Object) error {
	workflows, path := o.Members("workflows"), IDText(o)
	if len(workflows) == 1 && !o.Is("shared") && workflows[0].Text("path") != "" {
		path = workflows[0].Text("path") + ">" + path
	}
	s.Set(o, "path", path)
	if err := s.setServiceName(o, 0); err != nil {
		return err
	}
	linked := ""
	if o.Type.Name == "workflow" {
		linked = path
	} else if len(workflows) == 1 {
		linked = workflows[0].Text("path")
	}
	var link []string
	for id := range strings.SplitSeq(linked, ">") {
		if service := s.ByID("service", id); service != nil {
			link = append(link, service.Text("persistent_id"))
		}
	}
	s.Set(o, "builder_link", strings.Join(link, ">"))
	return nil
}

// placeSharedEnd sets the position of End in a new workflow of 5.3, unless it was sent.
func placeSharedEnd(s *Session, workflow *database.Object, entry *python.Dict) {
	if _, placed := workflow.Dict("positions").Lookup("[Shared] End"); !placed && !imported(entry) {
		s.place(workflow, "[Shared] End", []any{int64(500), int64(0)})
	}
}

// removeService refuses the deletion of services that eNMS needs, and of services that only their owners
// may delete.
func removeService(s *Session, o *database.Object) (string, error) {
	if IsProtected(o) {
		return "It is not allowed to delete '" + o.Name() + "'.", nil
	}
	return "", s.Restricted(o, "edit")
}

// membersOf returns the members of a workflow that are deleted with it: those that are not shared.
func membersOf(workflow *database.Object) []*database.Object {
	members := slices.Clone(workflow.Members("services"))
	return slices.DeleteFunc(members, func(o *database.Object) bool { return o.Is("shared") || o == workflow })
}

// constructEdge sets label and colour, which depend on the subtype at creation only (1.13).
func constructEdge(s *Session, o *database.Object, entry *python.Dict) error {
	subtype, sent := entry.Lookup("subtype")
	if !sent {
		return python.Raise("KeyError", "'subtype'")
	}
	color := "red"
	if subtype == "success" {
		color = "green"
	}
	s.Set(o, "label", subtype)
	s.Set(o, "color", color)
	return nil
}

// updateEdge names an edge that has no name. On 4.7, the changelog also has a new edge as a change of its workflow.
func updateEdge(s *Session, o *database.Object, _ *python.Dict) (func() error, error) {
	return func() error {
		if w := o.One("workflow"); w != nil && !o.IsStored() && s.Version == V47 {
			s.Remember(w, "edges", slices.DeleteFunc(slices.Clone(w.Members("edges")), func(edge *database.Object) bool { return edge == o }))
		}
		if o.Name() != "" {
			return nil
		}
		workflow := "None"
		if w := o.One("workflow"); w != nil {
			workflow = w.Name()
		}
		s.Set(o, "name", fmt.Sprintf("[%s] %s", workflow, s.timestamp()))
		return nil
	}, nil
}

// mergePositions adds to the positions in an entry the stored ones that the entry does not have.
func mergePositions(o *database.Object, entry *python.Dict) error {
	value, sent := entry.Lookup("positions")
	stored := o.Dict("positions")
	if !sent || stored.Size() == 0 {
		return nil
	}
	positions, isDict := value.(*python.Dict)
	if !isDict {
		return python.Raise("TypeError", "'%s' object is not a mapping", python.TypeName(value))
	}
	entry.Set("positions", stored.Merged(positions))
	return nil
}

// copyPosition copies the position that an object has under one name to another name.
func (s *Session) copyPosition(o *database.Object, oldName, newName string) {
	if at, placed := o.Dict("positions").Lookup(oldName); placed && oldName != newName {
		s.place(o, newName, at)
	}
}

// place adds a position to those of an object.
func (s *Session) place(o *database.Object, name string, at any) {
	s.Set(o, "positions", python.NewDict().Merged(o.Dict("positions")).Merged(python.Pairs(name, at)))
}

// recursionLimit is how deep Python follows workflows in each other.
const recursionLimit = 970

// scopedName returns the scoped name of an object, which is Python's "None" if it is null.
func scopedName(o *database.Object) string {
	if v := o.Get("scoped_name"); v != nil {
		return v.(string)
	}
	return "None"
}

// setServiceName computes the name from scoped_name, shared and the first workflow. The members of a
// workflow get new names, too (1.5, Name rules), and keep their positions under these names.
func (s *Session) setServiceName(o *database.Object, depth int) error {
	if depth > recursionLimit {
		return ErrRecursion
	}
	prefix := ""
	switch workflows := o.Members("workflows"); {
	case o.Is("shared"):
		prefix = "[Shared] "
	case len(workflows) > 0:
		prefix = "[" + workflows[0].Name() + "] "
	}
	oldName, name := o.Name(), prefix+scopedName(o)
	if oldName != name {
		s.Set(o, "name", name)
	}
	for _, member := range o.Members("services") {
		oldMemberName := member.Name()
		if !member.Is("shared") {
			if err := s.setServiceName(member, depth+1); err != nil {
				return err
			}
		}
		switch { // a position is stored by the member on 4.7, by the workflow on 5.3
		case s.Version == V47:
			s.copyPosition(member, oldName, o.Name())
		case o.Dict("positions") == nil:
			return python.Raise("TypeError", "argument of type 'NoneType' is not iterable")
		default:
			s.copyPosition(o, oldMemberName, member.Name())
		}
	}
	return nil
}

// IsProtected reports whether an object is a service that cannot be deleted.
func IsProtected(o *database.Object) bool {
	return o.Type.Class == "service" && slices.Contains(protectedServices, o.Name())
}

var protectedServices = []string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder"}
