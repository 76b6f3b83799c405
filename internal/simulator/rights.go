// Who may do what (6): owners, groups, endpoints.

package simulator

import "slices"

// adminModels are whole types closed to others than admins (6.1).
var adminModels = map[string][]string{"read": {"server"}, "edit": {"group", "user"}}

// isAdmin reports whether a user may do everything, as the server itself.
func isAdmin(user *object) bool { return user == nil || user.is("is_admin") }

// mayTouch refuses whole types.
func (t *session) mayTouch(m *model, mode string) error {
	if !isAdmin(t.user) && slices.Contains(adminModels[mode], m.name) {
		return forbidden("")
	}
	return nil
}

// may says whether the caller has a right on an object.
func (t *session) may(mode string, o *object) bool { return allowed(t.user, mode, o) }

// mayAs is may for an object that is asked for as one of a type: as nodes, devices and
// networks are open to everybody (6.2).
func (t *session) mayAs(m *model, mode string, o *object) bool {
	return m.name == "node" || t.may(mode, o)
}

// allowed reports whether a user has a right on an object.
func allowed(user *object, mode string, o *object) bool {
	if isAdmin(user) {
		return true
	}
	if o.model.name == "run" {
		service := o.one("service")
		return service != nil && allowed(user, mode, service)
	}
	if rightsOf[o.model.class] == nil {
		return true
	}
	if o.is("admin_only") {
		return false
	}
	if o.has("owners", user) {
		return true
	}
	for _, group := range user.members("groups") {
		if o.has("rbac_"+mode, group) {
			return true
		}
	}
	return false
}

// mayShare says whether the caller may hand out rights on an object, which is
// decided once, before a POST changes anything: never at creation by a non-admin (6.3).
func (t *session) mayShare(o *object) bool {
	return rightsOf[o.model.class] == nil || isAdmin(t.user) || o.has("owners", t.user)
}

// grantsRights says whether a key is ignored from a caller who may not share.
func grantsRights(m *model, key string) bool {
	return key == "owners" || key == "restrict_to_owners" || slices.Contains(rightsOf[m.class], key)
}

// restricted refuses what a service, or a workflow above it, keeps to its owners.
func (t *session) restricted(service *object, mode string) error {
	if isAdmin(t.user) || service.is("shared") {
		return nil
	}
	for _, o := range append(ancestors(service, nil), service) {
		modes, _ := o.get("restrict_to_owners").([]any)
		if slices.Contains(modes, any(mode)) && !o.has("owners", t.user) {
			return forbidden("Not Authorized (restricted to owners).")
		}
	}
	return nil
}

// initialRights makes the caller the owner and gives his groups what they are
// due on objects of their members (6.3).
func (t *session) initialRights(o *object) error {
	if rightsOf[o.model.class] == nil || t.user == nil {
		return nil
	}
	t.setMany(o, o.model.relations["owners"], []*object{t.user})
	for _, group := range t.user.members("groups") {
		modes, err := iterate(group.get(o.model.class + "_access"))
		if err != nil {
			return err
		}
		for _, mode := range modes {
			if right, _ := mode.(string); o.model.relations[right] != nil {
				t.relate(o, o.model.relations[right], group)
			}
		}
	}
	return nil
}

// forceReadAccess adds the groups that read everything to each object that is POSTed.
func (t *session) forceReadAccess(o *object) {
	r := o.model.relations["rbac_read"]
	if r == nil {
		return
	}
	for _, group := range t.all("group") {
		if group.is("force_read_access") && !o.has("rbac_read", group) {
			t.relate(o, r, group)
			t.pend(o)
		}
	}
}

// refreshRights computes a user's lists from his groups (1.10).
func (t *session) refreshRights(user *object) error {
	if user.is("is_admin") {
		return nil
	}
	for _, property := range listProperties {
		union := []any{} // of texts only, which is all that a right can be
		for _, group := range user.members("groups") {
			granted, err := iterate(group.get(property))
			if err != nil {
				return err
			}
			for _, v := range granted {
				if right, ok := v.(string); ok && !slices.Contains(union, any(right)) {
					union = append(union, right)
				}
			}
		}
		t.set(user, property, union)
	}
	return nil
}

// fetchByName returns the object of a name that the caller may read.
func (t *session) fetchByName(model string, name any) (*object, error) {
	if converted, ok := convert(kindText, name); ok && converted != nil {
		if err := t.lookUp(converted.(string)); err != nil {
			return nil, err
		}
		if o := t.byName(model, converted.(string)); o != nil && t.mayAs(t.types[model], "read", o) {
			return o, nil
		}
	}
	return nil, noSuch(model, "name", name)
}
