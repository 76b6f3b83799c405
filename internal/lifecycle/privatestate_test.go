// Tests of what is kept beside the state.

package lifecycle

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// keys are a private state as Terraform keeps it.
type keys map[string]string

func (k keys) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return []byte(k[key]), nil
}

func (k keys) SetKey(_ context.Context, key string, raw []byte) diag.Diagnostics {
	if k[key] = string(raw); len(raw) == 0 {
		delete(k, key)
	}
	return nil
}

func TestPrivateStateThereAndBack(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	write := &pendingWrite{Sent: value.Object{"name": "g", "size": json.Number("123456789012345678901234567890")}, When: enms.Window{From: from, Until: from.Add(time.Minute)}}
	for name, test := range map[string]struct {
		private privateState
		kept    []string
	}{
		"nothing":        {privateState{}, nil},
		"nothing is set": {privateState{Managed: []string{}}, []string{"set"}},
		"managed":        {privateState{Managed: []string{"label", "size"}}, []string{"set"}},
		"pending create": {privateState{PendingCreate: write}, []string{"uncertain"}},
		"pending rename": {privateState{PendingRename: &pendingWrite{Sent: write.Sent}}, []string{"attempted"}},
		"imported":       {privateState{Imported: true}, []string{"imported"}},
		"unfinished":     {privateState{Unfinished: &unfinished{Recompute: true, Refresh: []kind.Related{{Type: "group", Names: []string{"g"}}}}}, []string{"unfinished"}},
		"possible name":  {privateState{PossibleName: "h"}, []string{"possible_name"}},
		"possible id":    {privateState{PossibleID: "7"}, []string{"possible_id"}},
	} {
		kept := keys{"set": `["before"]`, "uncertain": `{"sent":{}}`, "attempted": `{"sent":{}}`, "imported": "true", "unfinished": `{"recompute":true}`, "possible_name": `"before"`}
		if diags := test.private.write(t.Context(), kept); diags.HasError() {
			t.Errorf("%s: %v", name, diags)
		}
		if len(kept) != len(test.kept) || len(test.kept) > 0 && kept[test.kept[0]] == "" {
			t.Errorf("%s: kept %v", name, kept)
		}
		if back, diags := readPrivate(t.Context(), kept); diags.HasError() || !reflect.DeepEqual(back, test.private) {
			t.Errorf("%s: %v came back as %v, %v", name, test.private, back, diags)
		}
	}
}

// The private states that version 0 of the provider has written.
func TestPrivateStateOfEarlierVersions(t *testing.T) {
	t.Parallel()
	back, diags := readPrivate(t.Context(), keys{
		"set":       `["label","properties","properties.a"]`,
		"uncertain": `{"sent":{"name":"g","size":5},"when":{"from":"2026-03-01T12:00:00Z","until":"2026-03-01T12:01:00Z"}}`,
		"attempted": `{"sent":{"name":"g","new_name":"h"}}`,
	})
	if diags.HasError() || len(back.Managed) != 3 || back.PendingCreate.Sent["size"] != json.Number("5") || back.PendingCreate.When.IsZero() ||
		back.PendingRename.Sent["new_name"] != "h" || !back.PendingRename.When.IsZero() || back.Imported {
		t.Errorf("%+v %v", back, diags)
	}
}

func TestDamagedPrivateState(t *testing.T) {
	t.Parallel()
	for key, values := range map[string][]string{
		"set":       {`{}`, `[1]`, `"label"`, `[`},
		"uncertain": {`{}`, `[]`, `5`, `{"sent":5}`, `{"sent":null}`, `{"sent":{},"when":5}`, `{"sent":{"a":1}`},
		"attempted": {`{}`, `"x"`, `{"sent":[]}`},
		"imported":  {`1`, `"true"`},
	} {
		for _, raw := range values {
			_, diags := readPrivate(t.Context(), keys{key: raw})
			if !diags.HasError() || !strings.Contains(diags[0].Detail(), key) {
				t.Errorf("%s = %s: %v", key, raw, diags)
			}
		}
	}
}
