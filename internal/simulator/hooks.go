// What the models do beyond keeping values: names of services, timestamps,
// edges, users, groups, servers.

package simulator

import (
	"fmt"
	"slices"
)

// touch notes when and by whom an object was last POSTed (1.3).
func (t *tx) touch(o *object) {
	t.set(o, "last_modified", t.s.timestamp())
	t.set(o, "last_modified_by", t.userName())
}

func (t *tx) userName() string {
	if t.user == nil {
		return "admin"
	}
	return t.user.name()
}

func imported(entry *dict) bool {
	v, _ := entry.get("migration_import")
	return truthy(v)
}

// updateTouched is for models that only note the change.
func updateTouched(t *tx, o *object, entry *dict) (func() error, error) {
	return func() error {
		if !imported(entry) {
			t.touch(o)
		}
		return nil
	}, nil
}

// updateInventory is for devices, networks and links.
func updateInventory(t *tx, o *object, entry *dict) (func() error, error) {
	if o.model.class == "link" {
		if err := t.linkEnds(entry); err != nil {
			return nil, err
		}
	} else if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		if o.model.class != "network" && !imported(entry) {
			t.touch(o)
		}
		return nil
	}, nil
}

// linkEnds takes the two ends by their names, which must come together (1.6).
func (t *tx) linkEnds(entry *dict) error {
	source, sent := entry.get("source_name")
	if !sent {
		return nil
	}
	from, err := t.fetchByName("device", source)
	if err != nil {
		return err
	}
	destination, sent := entry.get("destination_name")
	if !sent {
		return raise("KeyError", "'destination_name'")
	}
	to, err := t.fetchByName("device", destination)
	if err != nil {
		return err
	}
	entry.pop("source_name")
	entry.pop("destination_name")
	entry.set("source", from.id)
	entry.set("destination", to.id)
	return nil
}

// constructService: the status cannot be set at creation (1.5).
func constructService(_ *tx, _ *object, entry *dict) error {
	entry.pop("status")
	return nil
}

// constructWorkflow gives a new workflow its Start and End.
func constructWorkflow(t *tx, o *object, entry *dict) error {
	if imported(entry) {
		return constructService(t, o, entry)
	}
	var ends []*object
	for _, scoped := range []string{"Start", "End"} {
		for _, service := range t.s.all(models["service"]) {
			if service.text("scoped_name") == scoped {
				ends = append(ends, service)
				break
			}
		}
	}
	t.setMany(o, o.model.relations["services"], ends)
	return constructService(t, o, entry)
}

func updateService(t *tx, o *object, entry *dict) (func() error, error) {
	wasDisabled := o.is("disabled")
	if err := mergePositions(o, entry); err != nil {
		return nil, err
	}
	return func() error {
		switch {
		case o.is("disabled") && !wasDisabled:
			t.set(o, "disabled_info", fmt.Sprintf("Disabled at %s by %s", t.s.timestamp(), t.userName()))
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

// ancestors are the workflows above a service, itself not included.
func ancestors(o *object, seen []*object) []*object {
	for _, workflow := range o.members("workflows") {
		if !slices.Contains(seen, workflow) {
			seen = ancestors(workflow, append(seen, workflow))
		}
	}
	return seen
}

// recursionLimit is how deep Python follows workflows in each other.
const recursionLimit = 970

// setServiceName recomputes the name from scoped_name, shared and the first
// workflow, and hands it down to the members of a workflow (1.5, Name rules),
// which stand under the new name where they stood under the old one.
func (t *tx) setServiceName(o *object, depth int) error {
	if depth > recursionLimit {
		return errRecursion
	}
	prefix := ""
	switch workflows := o.members("workflows"); {
	case o.is("shared"):
		prefix = "[Shared] "
	case len(workflows) > 0:
		prefix = "[" + workflows[0].name() + "] "
	}
	scoped := "None"
	if v := o.get("scoped_name"); v != nil {
		scoped = v.(string)
	}
	oldName, name := o.name(), prefix+scoped
	if oldName != name {
		t.set(o, "name", name)
	}
	for _, member := range o.members("services") {
		if !member.is("shared") {
			if err := t.setServiceName(member, depth+1); err != nil {
				return err
			}
		}
		t.copyPosition(member, oldName, o.name())
	}
	return nil
}

// constructEdge: the subtype decides label and colour, once and for all (1.13).
func constructEdge(t *tx, o *object, entry *dict) error {
	subtype, sent := entry.get("subtype")
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

func updateEdge(t *tx, o *object, _ *dict) (func() error, error) {
	return func() error {
		if o.name() == "" {
			workflow := "None"
			if w := o.ones["workflow"]; w != nil {
				workflow = w.name()
			}
			t.set(o, "name", fmt.Sprintf("[%s] %s", workflow, t.s.timestamp()))
		}
		return nil
	}, nil
}

// placeOfEdge: subtype, source, destination and workflow together are unique.
func placeOfEdge(s *Server, o *object) string {
	workflow, source, destination := o.ones["workflow"], o.ones["source"], o.ones["destination"]
	if workflow == nil || source == nil || destination == nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d %s", workflow.id, source.id, destination.id, s.db.equal(o.text("subtype")))
}

// updateUser refuses a password that is no text before it looks at anything else.
func updateUser(_ *tx, _ *object, entry *dict) (func() error, error) {
	password, _ := entry.get("password")
	if _, isText := password.(string); truthy(password) && !isText {
		return nil, raise("AttributeError", "'%s' object has no attribute 'startswith'", typeName(password))
	}
	return func() error { return nil }, nil
}

// updateGroup recomputes what the users of a group may do (1.10).
func updateGroup(t *tx, o *object, entry *dict) (func() error, error) {
	before := slices.Clone(o.members("users"))
	return func() error {
		if v, _ := entry.get("import_mechanism"); truthy(v) {
			return nil
		}
		users := before
		for _, user := range o.members("users") {
			if !slices.Contains(users, user) {
				users = append(users, user)
			}
		}
		for _, user := range users {
			if err := t.refreshRights(user); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// updateServer has the process adopt the settings of any server that is POSTed (1.14).
func updateServer(t *tx, o *object, _ *dict) (func() error, error) {
	return func() error {
		old := *t.s.allowed
		*t.s.allowed = o.get("allowed_automation")
		t.undo = append(t.undo, func() { *t.s.allowed = old })
		return nil
	}, nil
}

// allows says whether the process may run what the trigger asks for.
func (s *Server) allows(trigger string) bool {
	list, _ := (*s.allowed).([]any)
	return slices.Contains(list, any(trigger))
}
