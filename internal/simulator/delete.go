// DELETE /rest/instance and what is deleted along with an object (3).

package simulator

import "slices"

// deleteInstance answers with the object as it was, its relations expanded, or
// with the reason why it may not be deleted, which is a 200 too.
func (t *tx) deleteInstance(model, name string) (any, error) {
	o, err := t.fetch(model, name, "edit")
	if err != nil {
		return nil, err
	}
	return t.delete(o)
}

func (t *tx) delete(o *object) (any, error) {
	if remove := o.model.hooks.remove; remove != nil {
		reason, err := remove(t, o)
		if err != nil && t.s.opts.DeleteRefusal == RefusalAlert {
			reason = err.Error()
		} else if err != nil {
			return nil, err
		}
		if reason != "" {
			return t.s.refusal(o, reason)
		}
	}
	// The tables of related objects change while this one goes: the answer is what
	// was there before.
	answer := t.s.deleted(o)
	if removed := o.model.hooks.removed; removed != nil {
		if err := removed(t, o); err != nil {
			return nil, err
		}
	}
	t.erase(o)
	return answer, nil
}

// deleted is what the deletion of an object answers.
func (s *Server) deleted(o *object) any {
	switch s.opts.DeleteAnswer {
	case DeletedProperties:
		return s.scalars(o, nil)
	case DeletedNull:
		return nil
	default:
		return s.whole(o, true)
	}
}

// refusal is the answer to a deletion that a model does not allow, for a reason.
func (s *Server) refusal(o *object, reason string) (any, error) {
	switch s.opts.DeleteRefusal {
	case RefusalForbidden:
		return nil, raise(rbacClass, "%s", reason)
	case RefusalAlert:
		return record{{"alert", "Unable to delete " + o.name() + " (" + reason + ")."}}, nil
	default:
		return record{{"delete_aborted", true}, {"log", reason}, {"log_level", "error"}}, nil
	}
}

// removeInventory: the counters of the pools follow a device or link that is
// deleted itself, not one that is deleted along with another.
func removeInventory(t *tx, o *object) (string, error) {
	if o.model.class == "network" {
		return "", nil
	}
	for _, pool := range o.members("pools") {
		t.addTo(pool, o.model.class+"_number", -1)
	}
	return "", nil
}

var protectedServices = []string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder"}

func removeService(t *tx, o *object) (string, error) {
	if slices.Contains(protectedServices, o.name()) {
		return "It is not allowed to delete '" + o.name() + "'.", nil
	}
	return "", t.restricted(o, "edit")
}

// removeMembers takes the members of a workflow that are not shared along.
func removeMembers(t *tx, o *object) error {
	for _, member := range slices.Clone(o.members("services")) {
		if !member.is("shared") && member.stored && member != o {
			if _, err := t.delete(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeTask takes the job off the scheduler, which has to be reachable for that.
func removeTask(t *tx, o *object) (string, error) {
	if !t.s.scheduler.reachable {
		return "", errServer
	}
	t.s.scheduler.remove(jobKey(o))
	return "", nil
}

func removeUser(t *tx, o *object) (string, error) {
	if o == t.user {
		return "A user cannot be deleted while logged in.", nil
	}
	return "", nil
}
