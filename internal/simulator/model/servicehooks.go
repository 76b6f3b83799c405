// What services, workflows and edges do beyond keeping values (1.5, 1.13).

package model

import (
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// constructService ignores a status, which cannot be set at creation (1.5).
func constructService(_ *Session, _ *database.Object, entry *python.Dict) error {
	entry.Pop("status")
	return nil
}

// constructWorkflow adds Start and End to a new workflow.
func constructWorkflow(s *Session, o *database.Object, entry *python.Dict) error {
	if imported(entry) {
		return constructService(s, o, entry)
	}
	var ends []*database.Object
	for _, scoped := range []string{"Start", "End"} {
		for _, service := range s.All("service") {
			if service.Text("scoped_name") == scoped {
				ends = append(ends, service)
				break
			}
		}
	}
	s.SetMany(o, o.Type.Relations["services"], ends)
	return constructService(s, o, entry)
}

// placeEnd sets the position of End in a new workflow, unless it has one under that name.
func placeEnd(s *Session, workflow *database.Object, entry *python.Dict) {
	if imported(entry) {
		return
	}
	services := s.All("service")
	at := slices.IndexFunc(services, func(o *database.Object) bool { return o.Text("scoped_name") == "End" })
	if at < 0 {
		return
	}
	if _, placed := services[at].Dict("positions").Lookup(workflow.Name()); !placed {
		s.place(services[at], workflow.Name(), []any{int64(500), int64(0)})
	}
}

// updateService computes the name and what depends on whether the service is disabled.
func updateService(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	wasDisabled := o.Is("disabled")
	if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
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
	}, nil
}

// removeService refuses the deletion of services that eNMS needs, or that are kept to
// their owners.
func removeService(s *Session, o *database.Object) (string, error) {
	if slices.Contains(protectedServices, o.Name()) {
		return "It is not allowed to delete '" + o.Name() + "'.", nil
	}
	return "", s.Restricted(o, "edit")
}

// membersOf returns the members of a workflow that are deleted with it: those that are
// not shared.
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

// updateEdge names an edge that has no name.
func updateEdge(s *Session, o *database.Object, _ *python.Dict) (func() error, error) {
	return func() error {
		if o.Name() == "" {
			workflow := "None"
			if w := o.One("workflow"); w != nil {
				workflow = w.Name()
			}
			s.Set(o, "name", fmt.Sprintf("[%s] %s", workflow, s.timestamp()))
		}
		return nil
	}, nil
}
