// This file reads the private state as the framework writes it.

package protocol

import "encoding/json"

// privateFields decodes the private state of a resource that the framework applies and
// reads, because plans are made beside it. The framework documents no format. As of
// terraform-plugin-framework v1.19.0 (internal/privatestate) it is a JSON object that holds
// each field in Base64, those of the framework itself under keys that begin with a dot.
// TestPrivateFields has the framework write a private state and fails when that changes.
func privateFields(raw []byte) (fields map[string][]byte, err error) {
	if len(raw) == 0 {
		return nil, nil
	}
	err = json.Unmarshal(raw, &fields)
	return fields, err
}
