// What users, groups and servers do beyond keeping values (1.9 to 1.11, 1.14).

package model

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// updateUser refuses a password that is no text before it looks at anything else.
func updateUser(_ *Session, _ *database.Object, entry *python.Dict) (func() error, error) {
	password := entry.Get("password")
	if _, isText := password.(string); python.Truthy(password) && !isText {
		return nil, python.Raise("AttributeError", "'%s' object has no attribute 'startswith'", python.TypeName(password))
	}
	return func() error { return nil }, nil
}

// removeUser refuses the deletion of the caller.
func removeUser(t *Session, o *database.Object) (string, error) {
	if o == t.User {
		return "A user cannot be deleted while logged in.", nil
	}
	return "", nil
}

// updateGroup recomputes what the users of a group may do (1.10).
func updateGroup(t *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	before := slices.Clone(o.Members("users"))
	return func() error {
		if v := entry.Get("import_mechanism"); python.Truthy(v) {
			return nil
		}
		users := before
		for _, user := range o.Members("users") {
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
func updateServer(t *Session, o *database.Object, _ *python.Dict) (func() error, error) {
	return func() error {
		old := t.AllowedAutomation
		t.AllowedAutomation = o.Get("allowed_automation")
		t.OnRollback(func() { t.AllowedAutomation = old })
		return nil
	}, nil
}
