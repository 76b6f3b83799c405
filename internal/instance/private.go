// This file keeps, beside the state, which attributes this provider has set:
// taken out of the configuration, those go back to eNMS's default, while an
// attribute that was never configured is left alone.

package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// setKey is the key of the list in Terraform's private state.
const setKey = "set"

// privateState is Terraform's private state as the requests give it.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// privateStateSetter is Terraform's private state as the responses take it.
type privateStateSetter interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readSet is the list of what this provider has set, empty for an instance that
// was just imported.
func readSet(ctx context.Context, private privateState) ([]string, diag.Diagnostics) {
	raw, diags := private.GetKey(ctx, setKey)
	var set []string
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &set); err != nil {
			diags.AddError("Cannot read the private state", "The list of attributes that were set is damaged: "+err.Error())
		}
	}
	return set, diags
}

// writeSet keeps the list of what the configuration sets, but for what the state
// shows that eNMS does not have. still is what was set before and may be set yet,
// as after an update that failed half-way.
func (k *Kind) writeSet(ctx context.Context, private privateStateSetter, config, state Values, still []string) diag.Diagnostics {
	set := append([]string{}, still...)
	unheld := func(name string) bool { return !state[rowID].IsNull() && state[name].IsNull() }
	for _, a := range k.Rows() {
		if a.Role == Setting || a.DataOnly || config[a.Name].IsNull() || unheld(a.Name) {
			continue
		}
		set = append(set, a.Name)
		if a.Restless {
			set = append(set, valueKey(a, config[a.Name]))
		}
		if a.Meaning == Fields {
			for name := range fields(config[a.Name]) {
				set = append(set, fieldKey(name))
			}
		}
	}
	return keepSet(ctx, private, set)
}

// keepSet keeps a list.
func keepSet(ctx context.Context, private privateStateSetter, set []string) diag.Diagnostics {
	slices.Sort(set)
	raw, err := json.Marshal(slices.Compact(set))
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Cannot keep the private state", err.Error())}
	}
	return private.SetKey(ctx, setKey, raw)
}

// valueKey is the entry for the value that an attribute was set to; it is kept
// of what eNMS changes by itself.
func valueKey(a Attribute, v tftypes.Value) string { return fmt.Sprintf("%s=%v", a.Name, toJSON(v)) }

// stillSet leaves out of the list what somebody else has changed since it was at
// eNMS's default: if it is not configured any longer, it is theirs now. If it
// is, it will be set again.
func (k *Kind) stillSet(set []string, before, now Values) []string {
	theirs := map[string]bool{}
	for _, a := range k.Rows() {
		if a.Role == Field && !a.DataOnly && a.Meaning != Fields && a.same(before[a.Name], a.resetValue()) && !a.same(now[a.Name], before[a.Name]) {
			theirs[a.Name], theirs[valueKey(a, before[a.Name])] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(set), func(entry string) bool { return theirs[entry] })
}

// fieldKey is the entry of a further field in the list.
func fieldKey(name string) string { return rowProperties + "." + name }
