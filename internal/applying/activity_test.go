// Tests of computations that writes outdate.

package applying

import "testing"

func TestComputations_due(t *testing.T) {
	t.Parallel()
	var c Computations
	steps := []struct {
		what string
		do   func(endpoint string)
		due  bool
	}{
		{"written before the first request", c.Outdate, false},
		{"requested", c.AddRequest, false},
		{"written after it", c.Outdate, true},
		{"written again", c.Outdate, true},
		{"requested again", c.AddRequest, false},
		{"written after that", c.Outdate, true},
	}
	for _, step := range steps {
		step.do("update_all_pools")
		if got := c.IsDue("update_all_pools"); got != step.due {
			t.Errorf("%s: due is %v", step.what, got)
		}
		if c.IsDue("another") {
			t.Errorf("%s: another computation is due", step.what)
		}
	}
}
