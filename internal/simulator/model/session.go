// What a request works with: a transaction, the caller, and the process that answers. The errors that
// eNMS raises itself. The rights of users (6): owners, groups, endpoints.

package model

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

// Process is the state of an eNMS process beside its database.
type Process struct {
	// Version is the version of eNMS.
	Version Version
	// Now returns the local time.
	Now func() time.Time
	// Jobs is the scheduler, which is a process of its own, with its jobs.
	Jobs *scheduler.Scheduler
	// Silent has the changelog contain no changes, as after a migration that has failed (11.9).
	Silent bool
	// AllowedAutomation is the allowed_automation of the server object last POSTed (1.14).
	AllowedAutomation any
}

// Session is what a request works with.
type Session struct {
	*database.Tx
	*Process
	// User is the caller; nil while the server installs itself.
	User *database.Object
}

// timestamp returns the local time as eNMS writes it (1.3, last_modified).
func (p *Process) timestamp() string { return p.Now().Format("2006-01-02 15:04:05.000000") }

// ServerName is the name of the server's own row.
const ServerName = "Localhost"

// Allows reports whether the process may run services for a trigger. 5.3 looks at the server's own row,
// and refuses everything without one.
func (s *Session) Allows(trigger string) (bool, error) {
	allowed := s.AllowedAutomation
	if s.Version == V53 {
		row := s.ByName("server", ServerName)
		if row == nil {
			return false, s.NoSuch("server", "name", ServerName)
		}
		allowed = row.Get("allowed_automation")
	}
	list, _ := allowed.([]any)
	return slices.Contains(list, any(trigger)), nil
}

// UserName returns the name of the caller, or admin for the server itself.
func (s *Session) UserName() string {
	if s.User == nil {
		return "admin"
	}
	return s.User.Name()
}

// touch records when and by whom an object was last POSTed (1.3).
func (s *Session) touch(o *database.Object) {
	for property, value := range map[string]string{"last_modified": s.timestamp(), "last_modified_by": s.UserName()} {
		if o.Type.Fields[property] != nil {
			s.Set(o, property, value)
		}
	}
}

// Stamp records who writes an object of 5.3 and when, and when it was created, unless it is imported. A new object
// also gets a persistent id if it was sent without one. On 4.7, only the hooks of some types touch an object.
func (s *Session) Stamp(o *database.Object, entry *python.Dict) {
	if s.Version == V47 {
		return
	}
	if !imported(entry) {
		s.touch(o)
		if o.Type.Fields["creation_time"] != nil && !o.IsStored() {
			s.Set(o, "creation_time", s.timestamp())
		}
	}
	if !o.IsStored() && o.Type.Fields["persistent_id"] != nil && o.Text("persistent_id") == "" {
		id := make([]byte, 8)
		_, _ = rand.Read(id) // which never fails
		s.Set(o, "persistent_id", base64.RawURLEncoding.EncodeToString(id))
	}
}

// imported reports whether an entry comes from a migration, for which eNMS computes nothing.
func imported(entry *python.Dict) bool {
	return python.Truthy(entry.Get("migration_import"))
}

const rbacClass = "eNMS.database.RbacError"

// Forbidden returns the error of something that the caller is not allowed to do.
func Forbidden(reason string) error { return python.Raise(rbacClass, "%s", reason) }

// IsForbidden reports whether an error is answered with 403 instead of 500 (6.2). reason is the reason
// that 5.3 gives.
func IsForbidden(err error) (reason string, forbidden bool) {
	var py *python.Error
	if !errors.As(err, &py) || py.Class != rbacClass {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimPrefix(py.Error(), rbacClass), ": "), true
}

// NoSuch returns the error of a look-up that finds no object that the caller may see.
func (p *Process) NoSuch(model, property string, value any) error {
	reason := ""
	if p.Version == V53 {
		reason = ". Either the record does not exist or the user does not have access"
	}
	return python.Raise(rbacClass, "There is no %s in the database with the following characteristics: {'%s': %s}%s",
		model, property, python.Repr(value), reason)
}

// ErrRecursion is the error of a workflow that is in itself.
var ErrRecursion = python.Raise("RecursionError", "maximum recursion depth exceeded while calling a Python object")

// adminModels are the types that only administrators may access (6.1).
var adminModels = [...]map[string][]string{
	V47: {"read": {"server"}, "edit": {"group", "user"}},
	V53: {"edit": {"group", "server", "user", "worker"}},
}

// IsAdmin reports whether a user may do everything: an administrator, or the server itself, which is nil.
func IsAdmin(user *database.Object) bool { return user == nil || user.Is("is_admin") }

// MayTouch refuses types to which the caller has no access at all.
func (s *Session) MayTouch(m *database.Type, mode string) error {
	if !IsAdmin(s.User) && slices.Contains(adminModels[s.Version][mode], m.Name) {
		return Forbidden("")
	}
	return nil
}

// May reports whether the caller has a right on an object.
func (s *Session) May(mode string, o *database.Object) bool { return HasRight(s.User, mode, o) }

// MayAs reports whether the caller has a right on an object that is requested as one of a type. Every user has every
// right on devices and networks that are requested as nodes (6.2), and on 5.3 on networks as networks.
func (s *Session) MayAs(m *database.Type, mode string, o *database.Object) bool {
	return m.Name == "node" || m.Class == "network" && RightsOf(m) == nil || s.May(mode, o)
}

// HasRight reports whether a user has a right on an object, such as "read" (6.2). The right on a run is that on its
// service.
func HasRight(user *database.Object, mode string, o *database.Object) bool {
	switch {
	case IsAdmin(user):
		return true
	case o.Type.Name == "run":
		service := o.One("service")
		return service != nil && HasRight(user, mode, service)
	case o.Type.Relations["owners"] == nil: // a type without rights on single objects
		return true
	case o.Is("admin_only"): // not even the owner has one
		return false
	case o.Has("owners", user):
		return true
	}
	return slices.ContainsFunc(user.Members("groups"), func(group *database.Object) bool { return o.Has("rbac_"+mode, group) })
}

// MayShare reports whether the caller may set the rights on an object. It is decided once, before a POST
// changes anything. A user who is no administrator may never do so at the creation (6.3).
func (s *Session) MayShare(o *database.Object) bool {
	return RightsOf(o.Type) == nil || IsAdmin(s.User) || o.Has("owners", s.User)
}

// Ignores reports whether eNMS ignores a key that the caller has sent. sharing is the result of MayShare: without it,
// owners and rights are ignored. On 5.3, admin_only is ignored unless the caller is an administrator.
func (s *Session) Ignores(o *database.Object, key string, sharing bool) bool {
	if s.Version == V53 && key == "admin_only" && RightsOf(o.Type) != nil {
		return !IsAdmin(s.User)
	}
	return !sharing && (key == "owners" || key == "restrict_to_owners" || slices.Contains(RightsOf(o.Type), key))
}

// Restricted refuses an access to a service that only the owners of the service, or of a workflow above it, have.
func (s *Session) Restricted(service *database.Object, mode string) error {
	if IsAdmin(s.User) || service.Is("shared") {
		return nil
	}
	for _, o := range append(ancestors(service, nil), service) {
		modes, _ := o.Get("restrict_to_owners").([]any)
		if slices.Contains(modes, any(mode)) && !o.Has("owners", s.User) {
			return Forbidden("Not Authorized (restricted to owners).")
		}
	}
	return nil
}

// InitialRights makes the caller the owner of a new object, and gives the groups of the
// caller the rights that they get on new objects of their members (6.3).
func (s *Session) InitialRights(o *database.Object) error {
	if RightsOf(o.Type) == nil || s.User == nil {
		return nil
	}
	if o.IsStored() { // a task of 4.7
		s.Remember(o, "owners", nil)
	}
	s.SetMany(o, o.Type.Relations["owners"], []*database.Object{s.User})
	for _, group := range s.User.Members("groups") {
		modes, err := python.Iterate(group.Get(o.Type.Class + "_access"))
		if err != nil {
			return err
		}
		for _, mode := range modes {
			if right, _ := mode.(string); o.Type.Relations[right] != nil {
				s.Relate(o, o.Type.Relations[right], group)
			}
		}
	}
	return nil
}

// ForceReadAccess adds the groups that may read everything to the rights on an object that is POSTed.
func (s *Session) ForceReadAccess(o *database.Object) {
	r := o.Type.Relations["rbac_read"]
	if r == nil {
		return
	}
	for _, group := range s.All("group") {
		if group.Is("force_read_access") && !o.Has("rbac_read", group) {
			s.Relate(o, r, group)
			s.Pend(o)
		}
	}
}

// refreshRights computes the rights of a user from the user's groups (1.10).
func (s *Session) refreshRights(user *database.Object) error {
	if user.Is("is_admin") {
		return nil
	}
	for _, property := range ListProperties {
		union := []any{} // of strings only, which is all that a right can be
		for _, group := range user.Members("groups") {
			granted, err := python.Iterate(group.Get(property))
			if err != nil {
				return err
			}
			for _, v := range granted {
				if right, ok := v.(string); ok && !slices.Contains(union, any(right)) {
					union = append(union, right)
				}
			}
		}
		s.Set(user, property, union)
	}
	return nil
}

// FetchByName returns the object with a name, which the caller must be allowed to read.
func (s *Session) FetchByName(typ string, name any) (*database.Object, error) {
	if converted, ok := database.Convert(database.KindText, name); ok && converted != nil {
		if err := s.CheckText(converted.(string)); err != nil {
			return nil, err
		}
		if o := s.ByName(typ, converted.(string)); o != nil && s.MayAs(s.Types[typ], "read", o) {
			return o, nil
		}
	}
	return nil, s.NoSuch(typ, "name", name)
}

// ancestors adds to seen the workflows above a service, each once.
func ancestors(o *database.Object, seen []*database.Object) []*database.Object {
	for _, workflow := range o.Members("workflows") {
		if !slices.Contains(seen, workflow) {
			seen = ancestors(workflow, append(seen, workflow))
		}
	}
	return seen
}
