// Tests of the way of values between Terraform and JSON.

package value

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestNumbersThereAndBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0", "-1", "9223372036854775807", "123456789012345678901234567890", "0.1", "2.5", "1e-7", "1e21", "-0.001"} {
		v := FromJSON(json.Number(text))
		back, ok := ToJSON(v).(json.Number)
		if !ok || !equalNumbers(text, back.String()) {
			t.Errorf("%s came back as %v", text, ToJSON(v))
		}
		if again := FromJSON(back); !Equal(ToJSON(again), ToJSON(v)) {
			t.Errorf("%s is not stable", text)
		}
	}
	third := tftypes.NewValue(tftypes.Number, new(big.Float).Quo(big.NewFloat(1), big.NewFloat(3)))
	if !Equal(ToJSON(third), json.Number("0.3333333333333333")) {
		t.Error("a third is", ToJSON(third))
	}
}
