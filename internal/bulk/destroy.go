// This file destroys the resource.

package bulk

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// destroy deletes all instances. Terraform does not hand over the private state of a
// tainted resource: its instances are deleted by their names when eNMS holds what their
// entries say.
func (s *Server) destroy(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, held kind.Values, kept private) (
	*tfprotov6.ApplyResourceChangeResponse, error) {
	resp := &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState, Private: nil}
	c, diags := s.collectionOf(held)
	entries, _, found := entriesOf(held[attrInstances])
	if diags.Append(found...); diags.HasError() {
		identity, err := identityOf(held)
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, NewIdentity: identity, Private: req.PlannedPrivate, Diagnostics: diagnosticsOf(diags)}, err
	}
	items, _ := itemsOf(nil, entries, kept, nil)
	left, records, diags := c.apply(ctx, items).all()
	var err error
	if diags.HasError() {
		held[attrInstances] = instancesOf(left, held[attrInstances])
		resp.Private = private{Records: records}.encode(&diags)
		if resp.NewState, err = encode(held); err == nil {
			resp.NewIdentity, err = identityOf(held)
		}
	}
	resp.Diagnostics = diagnosticsOf(diags)
	return resp, err
}
