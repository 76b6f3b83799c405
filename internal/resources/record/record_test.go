// Tests of what is kept beside the state.

package record

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
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
	write := &PendingWrite{Sent: value.Object{"name": "g", "size": json.Number("123456789012345678901234567890")}, When: enms.Window{From: from, Until: from.Add(time.Minute)}}
	for name, test := range map[string]struct {
		private Record
		kept    string
	}{
		"nothing":        {Record{}, ""},
		"nothing is set": {Record{Managed: []string{}}, `{"managed":[]}`},
		"managed":        {Record{Managed: []string{"label", "size"}}, `{"managed":["label","size"]}`},
		"pending create": {Record{PendingCreate: write}, `{"pending_create":{"sent":{"name":"g","size":123456789012345678901234567890},"when":{"from":"2026-03-01T12:00:00Z","until":"2026-03-01T12:01:00Z"}}}`},
		"pending rename": {Record{PendingRename: &PendingWrite{Sent: write.Sent}}, `{"pending_rename":{"sent":{"name":"g","size":123456789012345678901234567890}}}`},
		"imported":       {Record{Imported: true}, `{"imported":true}`},
		"unfinished":     {Record{Unfinished: &Unfinished{Recompute: true, Refresh: []relate.Related{{Type: "group", Names: []string{"g"}}}}}, `{"unfinished":{"recompute":true,"refresh":[{"type":"group","names":["g"]}]}}`},
	} {
		if want := test.private.PendingCreate != nil || name == "pending rename" || name == "unfinished"; test.private.Pending() != want {
			t.Errorf("%s: pending is %t", name, !want)
		}
		kept := keys{Key: `{"imported":true}`}
		if diags := test.private.Write(t.Context(), kept); diags.HasError() {
			t.Errorf("%s: %v", name, diags)
		}
		if kept[Key] != test.kept {
			t.Errorf("%s: kept %v, want %s", name, kept, test.kept)
		}
		if back, diags := Read(t.Context(), kept); diags.HasError() || !reflect.DeepEqual(back, test.private) {
			t.Errorf("%s: %v came back as %v, %v", name, test.private, back, diags)
		}
	}
}

func TestDamagedPrivateState(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`[`, `[]`, `5`, `{"managed":{}}`, `{"managed":[1]}`, `{"managed":"label"}`,
		`{"pending_create":{}}`, `{"pending_create":[]}`, `{"pending_create":5}`, `{"pending_create":{"sent":5}}`,
		`{"pending_create":{"sent":null}}`, `{"pending_create":{"sent":{},"when":5}}`, `{"pending_create":{"sent":{"a":1}}`,
		`{"pending_rename":"x"}`, `{"pending_rename":{"sent":[]}}`, `{"imported":1}`, `{"imported":"true"}`,
	} {
		if p, diags := Read(t.Context(), keys{Key: raw}); !diags.HasError() || !reflect.DeepEqual(p, Record{}) {
			t.Errorf("%s: %v, %v", raw, p, diags)
		}
	}
}
