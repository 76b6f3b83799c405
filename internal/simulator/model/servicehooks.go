// What services, workflows and edges do beyond keeping values (1.5, 1.13).

package model

import (
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// constructService: the status cannot be set at creation (1.5).
func constructService(_ *Session, _ *database.Object, entry *python.Dict) error {
	entry.Pop("status")
	return nil
}

// constructWorkflow gives a new workflow its Start and End.
func constructWorkflow(t *Session, o *database.Object, entry *python.Dict) error {
	if imported(entry) {
		return constructService(t, o, entry)
	}
	var ends []*database.Object
	for _, scoped := range []string{"Start", "End"} {
		for _, service := range t.All("service") {
			if service.Text("scoped_name") == scoped {
				ends = append(ends, service)
				break
			}
		}
	}
	t.SetMany(o, o.Type.Relations["services"], ends)
	return constructService(t, o, entry)
}

// placeEnd gives End its place in a new workflow, unless it has one under that name.
func placeEnd(t *Session, workflow *database.Object, entry *python.Dict) {
	if imported(entry) {
		return
	}
	services := t.All("service")
	at := slices.IndexFunc(services, func(o *database.Object) bool { return o.Text("scoped_name") == "End" })
	if at < 0 {
		return
	}
	if _, placed := services[at].Dict("positions").Lookup(workflow.Name()); !placed {
		t.place(services[at], workflow.Name(), []any{int64(500), int64(0)})
	}
}

// updateService computes the name and what depends on whether the service is disabled.
func updateService(t *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	wasDisabled := o.Is("disabled")
	if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		switch {
		case o.Is("disabled") && !wasDisabled:
			t.Set(o, "disabled_info", fmt.Sprintf("Disabled at %s by %s", t.timestamp(), t.UserName()))
		case !o.Is("disabled"):
			t.Set(o, "disabled_info", "")
		}
		if imported(entry) {
			return nil
		}
		if err := t.setServiceName(o, 0); err != nil {
			return err
		}
		t.touch(o)
		for _, ancestor := range ancestors(o, nil) {
			t.Set(ancestor, "last_modified", o.Get("last_modified"))
			t.Set(ancestor, "last_modified_by", o.Get("last_modified_by"))
		}
		return nil
	}, nil
}

// removeService refuses the deletion of services that eNMS needs, or that are kept to
// their owners.
func removeService(t *Session, o *database.Object) (string, error) {
	if slices.Contains(protectedServices, o.Name()) {
		return "It is not allowed to delete '" + o.Name() + "'.", nil
	}
	return "", t.Restricted(o, "edit")
}

// membersOf returns the members of a workflow that are deleted with it: those that are
// not shared.
func membersOf(workflow *database.Object) []*database.Object {
	members := slices.Clone(workflow.Members("services"))
	return slices.DeleteFunc(members, func(o *database.Object) bool { return o.Is("shared") || o == workflow })
}

// constructEdge: the subtype decides label and colour, once and for all (1.13).
func constructEdge(t *Session, o *database.Object, entry *python.Dict) error {
	subtype, sent := entry.Lookup("subtype")
	if !sent {
		return python.Raise("KeyError", "'subtype'")
	}
	color := "red"
	if subtype == "success" {
		color = "green"
	}
	t.Set(o, "label", subtype)
	t.Set(o, "color", color)
	return nil
}

// updateEdge names an edge that has no name.
func updateEdge(t *Session, o *database.Object, _ *python.Dict) (func() error, error) {
	return func() error {
		if o.Name() == "" {
			workflow := "None"
			if w := o.One("workflow"); w != nil {
				workflow = w.Name()
			}
			t.Set(o, "name", fmt.Sprintf("[%s] %s", workflow, t.timestamp()))
		}
		return nil
	}, nil
}
