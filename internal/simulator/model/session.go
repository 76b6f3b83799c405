// What a request works with: a transaction, the caller, and the process that answers; the errors
// that eNMS raises itself; and who may do what (6): owners, groups, endpoints.

package model

import (
	"errors"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

// Process is the state of an eNMS process beside its database.
type Process struct {
	// Now returns the local time.
	Now func() time.Time
	// Jobs are the scheduler, a process of its own, and what it has to do.
	Jobs *scheduler.Scheduler
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

// Allows reports whether the process may run what a trigger asks for.
func (p *Process) Allows(trigger string) bool {
	list, _ := p.AllowedAutomation.([]any)
	return slices.Contains(list, any(trigger))
}

// UserName returns the name of the caller, which is admin for the server itself.
func (s *Session) UserName() string {
	if s.User == nil {
		return "admin"
	}
	return s.User.Name()
}

// touch notes when and by whom an object was last POSTed (1.3).
func (s *Session) touch(o *database.Object) {
	s.Set(o, "last_modified", s.timestamp())
	s.Set(o, "last_modified_by", s.UserName())
}

// imported reports whether an entry comes from a migration, of which eNMS computes nothing.
func imported(entry *python.Dict) bool {
	return python.Truthy(entry.Get("migration_import"))
}

const rbacClass = "eNMS.database.RbacError"

// Forbidden returns the error of something that the caller may not do.
func Forbidden(reason string) error { return python.Raise(rbacClass, "%s", reason) }

// IsForbidden reports whether an error is answered with 403 instead of 500 (6.2).
func IsForbidden(err error) bool {
	var py *python.Error
	return errors.As(err, &py) && py.Class == rbacClass
}

// NoSuch returns the error of a look-up that finds nothing the caller may see.
func NoSuch(model, property string, value any) error {
	return python.Raise(rbacClass, "There is no %s in the database with the following characteristics: {'%s': %s}",
		model, property, python.Repr(value))
}

// ErrRecursion is the error of a workflow that is in itself.
var ErrRecursion = python.Raise("RecursionError", "maximum recursion depth exceeded while calling a Python object")

// adminModels are the types that are closed to others than admins (6.1).
var adminModels = map[string][]string{"read": {"server"}, "edit": {"group", "user"}}

// IsAdmin reports whether a user may do everything, as the server itself.
func IsAdmin(user *database.Object) bool { return user == nil || user.Is("is_admin") }

// MayTouch refuses types that are closed to the caller as a whole.
func (s *Session) MayTouch(m *database.Type, mode string) error {
	if !IsAdmin(s.User) && slices.Contains(adminModels[mode], m.Name) {
		return Forbidden("")
	}
	return nil
}

// May reports whether the caller has a right on an object.
func (s *Session) May(mode string, o *database.Object) bool { return HasRight(s.User, mode, o) }

// MayAs reports whether the caller has a right on an object that is asked for as one of a
// type: as nodes, devices and networks are open to everybody (6.2).
func (s *Session) MayAs(m *database.Type, mode string, o *database.Object) bool {
	return m.Name == "node" || s.May(mode, o)
}

// HasRight reports whether a user has a right on an object.
func HasRight(user *database.Object, mode string, o *database.Object) bool {
	if IsAdmin(user) {
		return true
	}
	if o.Type.Name == "run" {
		service := o.One("service")
		return service != nil && HasRight(user, mode, service)
	}
	if RightsOf[o.Type.Class] == nil {
		return true
	}
	if o.Is("admin_only") {
		return false
	}
	if o.Has("owners", user) {
		return true
	}
	for _, group := range user.Members("groups") {
		if o.Has("rbac_"+mode, group) {
			return true
		}
	}
	return false
}

// MayShare reports whether the caller may hand out rights on an object, which is
// decided once, before a POST changes anything: never at creation by a non-admin (6.3).
func (s *Session) MayShare(o *database.Object) bool {
	return RightsOf[o.Type.Class] == nil || IsAdmin(s.User) || o.Has("owners", s.User)
}

// GrantsRights reports whether a key is ignored from a caller who may not share.
func GrantsRights(m *database.Type, key string) bool {
	return key == "owners" || key == "restrict_to_owners" || slices.Contains(RightsOf[m.Class], key)
}

// Restricted refuses what a service, or a workflow above it, keeps to its owners.
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
	if RightsOf[o.Type.Class] == nil || s.User == nil {
		return nil
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

// ForceReadAccess adds the groups that read everything to each object that is POSTed.
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

// refreshRights computes a user's lists from his groups (1.10).
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

// FetchByName returns the object of a name that the caller may read.
func (s *Session) FetchByName(typ string, name any) (*database.Object, error) {
	if converted, ok := database.Convert(database.KindText, name); ok && converted != nil {
		if err := s.LookUp(converted.(string)); err != nil {
			return nil, err
		}
		if o := s.ByName(typ, converted.(string)); o != nil && s.MayAs(s.Types[typ], "read", o) {
			return o, nil
		}
	}
	return nil, NoSuch(typ, "name", name)
}

// ancestors returns the workflows above a service, itself not included.
func ancestors(o *database.Object, seen []*database.Object) []*database.Object {
	for _, workflow := range o.Members("workflows") {
		if !slices.Contains(seen, workflow) {
			seen = ancestors(workflow, append(seen, workflow))
		}
	}
	return seen
}
