// This file decides whether a state belongs to the eNMS of the provider block: its private state has the address
// of the server that it was written at.

package resources

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// CheckAddress reports whether a state belongs to another eNMS than that of the provider block. Then the caller sends
// nothing and keeps its state as it is, whether or not there is an error: in a run that only reads and plans, the first
// call returns it, because one error is enough to stop the run; once an apply has begun, each call does. recorded
// is the normalised address that the state was written at, or "" if it has none, which any server accepts.
func (p *Provider) CheckAddress(recorded string) (other bool, diags diag.Diagnostics) {
	if recorded == "" || !p.Ready() || recorded == p.Client.Address() {
		return false, nil
	}
	isRecorded := func(url string) bool { return enms.Address(url) == recorded }
	if slices.ContainsFunc(p.FormerBaseURLs, isRecorded) {
		return false, nil
	}
	p.Run.Plans.FailLookups() // so that the plans of what is new send nothing either
	if !p.saidOtherAddress.CompareAndSwap(false, true) && !p.Run.Plans.IsApplying() {
		return true, nil
	}
	now := p.Client.Address()
	diags.AddError("This state belongs to another eNMS", fmt.Sprintf("It was written at %s, but base_url is %s. Nothing was sent.\n"+
		"If both are addresses of the same eNMS, add %q to former_base_urls (ENMS_FORMER_BASE_URLS).\n"+
		"Otherwise, correct base_url, or use a state of its own for each eNMS, such as a workspace.\n"+
		"To build everything anew at %s, first remove the resources from the state with terraform state rm.", recorded, now, recorded, now))
	return true, diags
}

// addressKey is the key of the address in the private state of resources that have no other record.
const addressKey = "address"

// Private is the private state in Terraform's requests and responses.
type Private interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// BelongsElsewhere is CheckAddress for the address that RecordAddress has stored in a private state: it reports whether
// the state belongs to another eNMS, and adds the error to diags. Without an address, or with a damaged one, any server
// is accepted.
func (p *Provider) BelongsElsewhere(ctx context.Context, private Private, diags *diag.Diagnostics) bool {
	var recorded string
	raw, _ := private.GetKey(ctx, addressKey)
	_ = json.Unmarshal(raw, &recorded)
	other, refused := p.CheckAddress(recorded)
	diags.Append(refused...)
	return other
}

// RecordAddress stores the address of the server in a private state. It does nothing without a client.
func (p *Provider) RecordAddress(ctx context.Context, private Private) diag.Diagnostics {
	if !p.Ready() {
		return nil
	}
	raw, err := json.Marshal(p.Client.Address())
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot store the private state", err.Error())}
	}
	return private.SetKey(ctx, addressKey, raw)
}

// CheckAndRecordAddress refuses the plan of a resource whose state belongs to another eNMS. It records the address in
// other plans, so that what they update and delete is refused if they are applied at another address.
func (p *Provider) CheckAndRecordAddress(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !p.BelongsElsewhere(ctx, req.Private, &resp.Diagnostics) {
		resp.Diagnostics.Append(p.RecordAddress(ctx, resp.Private)...)
	}
}
