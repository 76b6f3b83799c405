// This file reads and writes the private state of an instance, which is a record.

package protocol

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// The private state has the format of the framework, because the framework serves imports and moves. It is not documented:
// as of terraform-plugin-framework v1.19.0 (internal/privatestate), it is a JSON object with each field in Base64, those of
// the framework itself under keys that begin with a dot. TestPrivate_asTheFrameworkWritesIt fails when that changes.

// decodePrivate returns the record in a private state. Without a private state, it is empty.
func decodePrivate(raw []byte) (record.Record, diag.Diagnostics) {
	if len(raw) == 0 {
		return record.Record{}, nil
	}
	var fields map[string][]byte
	if err := json.Unmarshal(raw, &fields); err != nil {
		return record.Record{}, diag.Diagnostics{record.DamagedPrivate(err)}
	}
	return record.Decode(fields[record.Key])
}

// encodePrivate returns the private state with a record, or nil for an empty one.
func encodePrivate(r record.Record) ([]byte, diag.Diagnostics) {
	encoded, diags := r.Encode()
	if encoded == nil || diags.HasError() {
		return nil, diags
	}
	raw, _ := json.Marshal(map[string][]byte{record.Key: encoded}) // which JSON can always express
	return raw, diags
}
