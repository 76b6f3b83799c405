// Who may do what (6): owners, groups, endpoints.

package model

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

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
