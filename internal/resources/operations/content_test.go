// Tests of what is kept of a result.

package operations

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What fits is kept as it is; of anything else remains JSON that says so.
func TestBounded(t *testing.T) {
	t.Parallel()
	devices := map[string]any{}
	for i := range 2000 {
		devices[fmt.Sprintf("device-%04d", i)] = map[string]any{"success": true, "result": strings.Repeat("ü", 200)}
	}
	for name, c := range map[string]struct {
		content map[string]any
		want    string // the whole text, when it is short
		member  string // of which something must be left
	}{
		"small":        {map[string]any{"success": true, "result": map[string]any{"a": []any{json.Number("1.50"), nil, "<b>"}}}, `{"result":{"a":[1.50,null,"<b>"]},"success":true}`, "result"},
		"just fits":    {map[string]any{"result": strings.Repeat("x", maxResult-len(`{"result":""}`))}, `{"result":"` + strings.Repeat("x", maxResult-len(`{"result":""}`)) + `"}`, "result"},
		"a long text":  {map[string]any{"success": false, "result": strings.Repeat("ü", maxResult)}, "", "result"},
		"many devices": {map[string]any{"success": false, "devices": devices}, "", "success"},
		"long names":   {map[string]any{strings.Repeat("x", maxResult): true}, `{"truncated":true}`, "truncated"},
		"a long list":  {map[string]any{"success": true, "result": []any{devices, strings.Repeat("y", 100)}}, "", "success"},
	} {
		text := bounded(c.content)
		var read map[string]any
		if err := json.Unmarshal([]byte(text), &read); err != nil || len(text) > maxResult {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if _, left := read[c.member]; !left || c.want != "" && text != c.want || c.want == "" && read[truncatedField] != true {
			t.Errorf("%s: %.200s", name, text)
		}
	}
	if long := (map[string]any{"result": strings.Repeat("x", maxResult)}); bounded(long) == "" || len(long["result"].(string)) != maxResult {
		t.Error("the content itself was cut")
	}
}
