// Deletions, and what their answers tell.

package endpoint

import (
	"context"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

// Delete deletes an instance and returns it as it was. lost reports whether an attempt may
// have deleted it without an answer. The error is a *RefusedError when eNMS aborts
// (enms-rest.md 3).
func (c *Client) Delete(ctx context.Context, typ, name string) (deleted Object, lost bool, err error) {
	a, err := c.Do(ctx, rest.Request{Method: http.MethodDelete, Path: rest.Path("instance", typ, name)})
	if err == nil {
		deleted, err = c.decodeDeletion(typ, name, a)
	}
	return deleted, a.Lost || Lost(err), err
}

// decodeDeletion returns the instance as it was, if the answer says that it was deleted.
func (c *Client) decodeDeletion(typ, name string, a *rest.Answer) (deleted Object, err error) {
	object, err := decodeObject(typ, a)
	switch aborted, has := object["delete_aborted"]; {
	case err != nil:
		return nil, err
	case aborted == true:
		return nil, c.newRefusedError("delete", typ, name, Text(object["log"]), rest.OneLine)
	case has && aborted != false:
		return nil, WrongType(typ, aborted, "a boolean")
	case !has && String(object, "name") != name:
		return nil, &instance.FieldError{Type: typ, Name: name, Field: "name", Reason: "is missing or another's in the answer"}
	}
	return object, nil
}
