// What services, workflows and edges do beyond keeping values (1.5, 1.13).

package simulator

import (
	"fmt"
	"slices"
)

// constructService: the status cannot be set at creation (1.5).
func constructService(_ *session, _ *object, entry *dict) error {
	entry.pop("status")
	return nil
}

// constructWorkflow gives a new workflow its Start and End.
func constructWorkflow(t *session, o *object, entry *dict) error {
	if imported(entry) {
		return constructService(t, o, entry)
	}
	var ends []*object
	for _, scoped := range []string{"Start", "End"} {
		for _, service := range t.all("service") {
			if service.text("scoped_name") == scoped {
				ends = append(ends, service)
				break
			}
		}
	}
	t.setMany(o, o.model.relations["services"], ends)
	return constructService(t, o, entry)
}

// placeEnd gives End its place in a new workflow, unless it has one under that name.
func placeEnd(t *session, workflow *object, entry *dict) {
	if imported(entry) {
		return
	}
	services := t.all("service")
	at := slices.IndexFunc(services, func(o *object) bool { return o.text("scoped_name") == "End" })
	if at < 0 {
		return
	}
	if _, placed := services[at].dict("positions").lookup(workflow.name()); !placed {
		t.place(services[at], workflow.name(), []any{int64(500), int64(0)})
	}
}

// updateService computes the name and what depends on whether the service is disabled.
func updateService(t *session, o *object, entry *dict) (func() error, error) {
	wasDisabled := o.is("disabled")
	if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		switch {
		case o.is("disabled") && !wasDisabled:
			t.set(o, "disabled_info", fmt.Sprintf("Disabled at %s by %s", t.timestamp(), t.userName()))
		case !o.is("disabled"):
			t.set(o, "disabled_info", "")
		}
		if imported(entry) {
			return nil
		}
		if err := t.setServiceName(o, 0); err != nil {
			return err
		}
		t.touch(o)
		for _, ancestor := range ancestors(o, nil) {
			t.set(ancestor, "last_modified", o.get("last_modified"))
			t.set(ancestor, "last_modified_by", o.get("last_modified_by"))
		}
		return nil
	}, nil
}

// removeService refuses the deletion of services that eNMS needs, or that are kept to
// their owners.
func removeService(t *session, o *object) (string, error) {
	if slices.Contains(protectedServices, o.name()) {
		return "It is not allowed to delete '" + o.name() + "'.", nil
	}
	return "", t.restricted(o, "edit")
}

// membersOf returns the members of a workflow that are deleted with it: those that are
// not shared.
func membersOf(workflow *object) []*object {
	members := slices.Clone(workflow.members("services"))
	return slices.DeleteFunc(members, func(o *object) bool { return o.is("shared") || o == workflow })
}

// constructEdge: the subtype decides label and colour, once and for all (1.13).
func constructEdge(t *session, o *object, entry *dict) error {
	subtype, sent := entry.lookup("subtype")
	if !sent {
		return raise("KeyError", "'subtype'")
	}
	color := "red"
	if subtype == "success" {
		color = "green"
	}
	t.set(o, "label", subtype)
	t.set(o, "color", color)
	return nil
}

// updateEdge names an edge that has no name.
func updateEdge(t *session, o *object, _ *dict) (func() error, error) {
	return func() error {
		if o.name() == "" {
			workflow := "None"
			if w := o.ones["workflow"]; w != nil {
				workflow = w.name()
			}
			t.set(o, "name", fmt.Sprintf("[%s] %s", workflow, t.timestamp()))
		}
		return nil
	}, nil
}
