// DELETE /rest/instance, and what is deleted along with an object (3).

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// deleteInstance answers with the object as it was, with its relations expanded, or with the reason why
// it must not be deleted. The status of a refusal is 200, too.
func (c *command) deleteInstance(path []string, _ *python.Dict) (any, error) {
	o, err := c.fetch(path[0], path[1], "edit")
	if err != nil {
		return nil, err
	}
	return c.delete(o)
}

// delete deletes an object, and before it those that eNMS deletes along with it. It returns the answer.
func (c *command) delete(o *database.Object) (any, error) {
	hooks := model.HooksOf(o.Type)
	if hooks.Remove != nil {
		reason, err := hooks.Remove(c.Session, o)
		if err != nil {
			return nil, err
		}
		if reason != "" {
			return c.refusal(reason)
		}
	}
	// The relations of related objects change when this object is deleted, so the answer is made before.
	answer := c.deleted(o)
	if hooks.Along != nil {
		for _, other := range hooks.Along(o) {
			if !other.IsStored() {
				continue
			}
			if _, err := c.delete(other); err != nil {
				return nil, err
			}
		}
	}
	c.Erase(o)
	return answer, nil
}

// deleted returns the answer to the deletion of an object. 5.3 leaves out its relations.
func (c *command) deleted(o *database.Object) any {
	if c.Version == model.V53 {
		return c.scalars(o, nil)
	}
	return c.whole(o, true)
}

// refusal returns the answer to a deletion that a hook refuses, with its reason.
func (c *command) refusal(reason string) (any, error) {
	if c.opts.Delete403 {
		return nil, model.Forbidden(reason)
	}
	return python.NewRecord("delete_aborted", true, "log", reason, "log_level", "error"), nil
}
