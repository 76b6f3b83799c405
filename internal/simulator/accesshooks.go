// What users, groups and servers do beyond keeping values (1.9 to 1.11, 1.14).

package simulator

import "slices"

// updateUser refuses a password that is no text before it looks at anything else.
func updateUser(_ *session, _ *object, entry *dict) (func() error, error) {
	password := entry.get("password")
	if _, isText := password.(string); truthy(password) && !isText {
		return nil, raise("AttributeError", "'%s' object has no attribute 'startswith'", typeName(password))
	}
	return func() error { return nil }, nil
}

// removeUser refuses the deletion of the caller.
func removeUser(t *session, o *object) (string, error) {
	if o == t.user {
		return "A user cannot be deleted while logged in.", nil
	}
	return "", nil
}

// updateGroup recomputes what the users of a group may do (1.10).
func updateGroup(t *session, o *object, entry *dict) (func() error, error) {
	before := slices.Clone(o.members("users"))
	return func() error {
		if v := entry.get("import_mechanism"); truthy(v) {
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
func updateServer(t *session, o *object, _ *dict) (func() error, error) {
	return func() error {
		old := t.allowed
		t.allowed = o.get("allowed_automation")
		t.onRollback(func() { t.allowed = old })
		return nil
	}, nil
}
