// This file plans the resource.

package inventory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// collectionOf is the collection that a configuration or a state describes; nil while its
// type is not known.
func (s *Server) collectionOf(values kind.Values) (c *collection, diags diag.Diagnostics) {
	typ := value.Text(values[attrType])
	if typ == "" {
		return nil, nil
	}
	c = &collection{kind: kind.Named(s.kinds, typ), typ: typ, now: time.Now(), settings: kind.Values{
		kind.RowAdoptExisting: values[kind.RowAdoptExisting], kind.RowDeletionPolicy: values[kind.RowDeletionPolicy]}}
	c.many = lifecycle.NewMany(c.kind, s.provider())
	return c, c.checkType()
}

// checkType refuses types that must not be managed.
func (c *collection) checkType() (found diag.Diagnostics) {
	if problem := c.typeProblem(); problem != "" {
		found.AddAttributeError(path.Root(attrType), "Not a type", problem)
		return found
	}
	// What is wrong with the type alone is wrong with any instance.
	config, _ := c.configOf("any", entry{})
	for _, d := range c.kind.NewPlan(config, nil, nil, c.now).Diagnostics {
		if on, is := d.(diag.DiagnosticWithPath); is && on.Path().Equal(path.Root(c.kind.SubtypeRow())) && d.Severity() == diag.SeverityError {
			found.AddAttributeError(path.Root(attrType), d.Summary(), d.Detail())
		}
	}
	return found
}

// typeProblem tells that no path can hold the type, "" when one can.
func (c *collection) typeProblem() string {
	if strings.ContainsFunc(c.typ, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		return fmt.Sprintf("%q is none: types are written in lower case, as in the path /rest/instance/<type>.", c.typ)
	}
	return ""
}

// PlanResourceChange plans entry by entry. Terraform takes either what is configured or
// what the state holds as the plan: what differs in words alone is no change.
func (s *Server) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate}
	kept, diags := readPrivate(req.PriorPrivate)
	if destroyed, err := req.ProposedNewState.IsNull(); err != nil || destroyed || diags.HasError() {
		if err == nil && !diags.HasError() {
			diags, err = s.planDeletion(req.PriorState)
		}
		resp.Diagnostics = protocol(diags)
		return resp, err
	}
	if !kept.Unfinished && bytes.Equal(req.Config.MsgPack, req.PriorState.MsgPack) {
		resp.PlannedState = req.PriorState
		return resp, nil
	}
	config, held, err := decodeBoth(req.Config, req.PriorState)
	if err != nil {
		return nil, err
	}
	if held == nil && len(req.PriorPrivate) == 0 {
		var found diag.Diagnostics
		resp.PlannedPrivate = private{Fresh: true}.encode(&found)
		diags.Append(found...)
	}
	changed, found := s.plan(config, held, kept)
	diags.Append(found...)
	resp.Diagnostics = protocol(diags)
	if held != nil && !config[attrType].Equal(held[attrType]) {
		resp.RequiresReplace = append(resp.RequiresReplace, attributePath(path.Root(attrType)))
	}
	if resp.PlannedState = req.Config; held != nil && !changed {
		config[attrInstances] = held[attrInstances]
		resp.PlannedState, err = encode(config)
	}
	return resp, err
}

// planDeletion checks that the deletion policy can be followed.
func (s *Server) planDeletion(state *tfprotov6.DynamicValue) (diag.Diagnostics, error) {
	held, err := decode(state)
	if err != nil || held == nil {
		return nil, err
	}
	c, _ := s.collectionOf(held)
	return c.many.CheckPolicy(held), nil
}

// plan tells whether any entry changes, and what is wrong.
func (s *Server) plan(config, held kind.Values, kept private) (changed bool, diags diag.Diagnostics) {
	c, diags := s.collectionOf(config)
	if c == nil || diags.HasError() {
		return true, diags
	}
	diags.Append(checkSettings(config)...)
	diags.Append(c.many.CheckPolicy(config)...)
	configured, known, found := entriesOf(config[attrInstances])
	diags.Append(found...)
	if !known || diags.HasError() {
		return true, diags
	}
	before := map[string]entry{}
	if held != nil && held[attrType].Equal(config[attrType]) {
		before, _, _ = entriesOf(held[attrInstances])
	}
	items, found := itemsOf(configured, before, kept, textsOf(config[attrRenames]))
	diags.Append(found...)
	for _, i := range items {
		diags.Append(ofEntry(i.name, c.plan(i))...)
		changed = changed || i.differs
	}
	return changed, diags
}

// checkSettings refuses a deletion policy that there is not.
func checkSettings(config kind.Values) (diags diag.Diagnostics) {
	policy := value.Text(config[kind.RowDeletionPolicy])
	if policy != "" && !slices.Contains(kind.Policies, policy) {
		diags.AddAttributeError(path.Root(kind.RowDeletionPolicy), "Not a deletion policy",
			fmt.Sprintf("%q is none of %s.", policy, strings.Join(kind.Policies, ", ")))
	}
	return diags
}
