// This file tells of the names of entries, for the plans of other resources, and looks up
// whether those of new ones are free.

package bulk

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// storedNames lists the names in a state as Terraform stores it.
func (s *Server) storedNames(state []byte) (names []lifecycle.Name) {
	var stored struct {
		Type      string `json:"type"`
		Instances struct {
			Value map[string]struct {
				Name string `json:"name"` // when another actor has renamed it
			} `json:"value"`
		} `json:"instances"`
	}
	if json.Unmarshal(state, &stored) != nil {
		return nil // Reading it is an error.
	}
	of := kind.Named(s.kinds, stored.Type)
	if of == nil {
		return nil
	}
	for name, e := range stored.Instances.Value {
		if e.Name != "" {
			name = e.Name
		}
		names = append(names, lifecycle.Name{Namespace: of.Namespace, Name: name})
	}
	return names
}

// checkFree looks up whether the names of new entries are free.
func (c *collection) checkFree(ctx context.Context, items []*item) (diags diag.Diagnostics) {
	found := &outcomes{}
	var added []*item
	for _, i := range items {
		if i.prior == nil && !i.removed && i.planned != nil {
			added = append(added, i)
		}
	}
	each(ctx, "looking up", c.typ, added, mostTogether, func(i *item) {
		found.set(i, outcome{diags: c.instances.CheckName(ctx, i.planned)})
	})
	for _, i := range added {
		diags.Append(ofEntry(i.name, found.of[i.name].diags)...)
	}
	return diags
}
