// Tests of the computation of pools: one that takes longer than a request may, and how a failure is
// explained.

package enms

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// eNMS 5 tries for minutes to compute a pool whose criteria no database can evaluate. Once the time is
// up, the pool is named, and the computation is not begun again. Without such a pool, it is.
func TestRecompute_withoutAnswer(t *testing.T) {
	t.Parallel()
	for pattern, requests := range map[string]int{"(": 1, "a": 3} {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.Options{})
			s.Add(t, "device", Object{"name": "d"})
			s.Add(t, "pool", Object{"name": "p", "device_name": pattern, "device_name_match": "regex"})
			s.Set(t, faults.Rule{Fault: faults.GatewayTimeout, Count: 2, Path: "/rest/" + updateAllPools})
			err := s.client(t).Recompute(t.Context(), updateAllPools)
			broken, is := errors.AsType[*ComputationError](err)
			if is != (pattern == "(") || is && !strings.Contains(broken.Error(), `pool "p": device name`) || !is && err != nil {
				t.Errorf("the error is %v", err)
			}
			if n := s.Count("POST /rest/" + updateAllPools); n != requests {
				t.Errorf("%d computations, want %d", n, requests)
			}
			s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
				if r.URL.Path == "/rest/other" {
					fail(w, http.StatusInternalServerError, `{"alert": "x"}`)
				}
				return r.URL.Path == "/rest/other"
			})
			if err := s.client(t).Recompute(t.Context(), "other"); !InternalServerError(err) || rest.Is[*ComputationError](err) {
				t.Errorf("another computation: %v", err)
			}
		})
	}
}

// Criteria that a pool does not have take no search.
func TestBrokenCriteria_ofDevicesOnly(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	if long := (criterion{property: "name", match: "regex", value: strings.Repeat("ü", 61)}).String(); !strings.HasSuffix(long, `value "`+strings.Repeat("ü", 60)+`…"`) {
		t.Errorf("a long value is shown as %s", long)
	}
	if broken := brokenCriteria(t.Context(), f.client(t).endpoint, Object{"name": "m", "manually_defined": true, "device_vendor": "(", "device_vendor_match": "regex"}); broken != nil {
		t.Errorf("a pool whose members are chosen has the broken criteria %q", broken)
	}
	pool := Object{"name": "p", "device_vendor": "Cisco", "device_vendor_match": "inclusion", "link_vendor": "", "link_vendor_match": "inclusion"}
	broken := brokenCriteria(t.Context(), f.client(t).endpoint, pool)
	if n := f.Count("POST /rest/search"); n != 1 || len(broken) > 0 {
		t.Errorf("%d searches, want 1; broken are %q", n, broken)
	}
}
