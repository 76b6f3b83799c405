// This file tests positions as Terraform computes and eNMS keeps them.

package layout

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A coordinate that Terraform has computed, such as 100 / 3, has more digits than eNMS
// keeps: that is no difference.
func TestComputedPosition(t *testing.T) {
	t.Parallel()
	third, _, err := big.ParseFloat("33.3333333333333333333333333333333333333333333333333333333", 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	planned := positionModel{types.NumberValue(third), types.NumberValue(big.NewFloat(-20))}.position()
	sent, err := json.Marshal(planned.payload())
	if err != nil || string(sent) != "[33.333333333333336,-20]" {
		t.Fatalf("%s, %v is sent", sent, err)
	}
	var answer any
	d := json.NewDecoder(bytes.NewReader(sent))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	kept, ok := positionOf(answer)
	if !ok || !kept.equal(planned) || kept.equal(position{"33.4", "-20"}) {
		t.Errorf("%v, %v is not what was planned, %v", kept, ok, planned)
	}
	if model, ok := positionModelOf(kept); !ok || !model.position().equal(planned) {
		t.Errorf("%v, %v is not what was planned, %v", model, ok, planned)
	}
}

func TestWhatIsNoPosition(t *testing.T) {
	t.Parallel()
	for _, x := range []any{nil, "0,0", []any{}, []any{json.Number("1")}, []any{json.Number("1"), "2"}, []any{json.Number("1"), nil}, map[string]any{"x": 1}} {
		if p, ok := positionOf(x); ok {
			t.Errorf("%v is %v", x, p)
		}
	}
}
