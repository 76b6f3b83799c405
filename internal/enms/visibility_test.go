// Tests of what is gone, and of what may only be hidden.

package enms

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A request that fails proves nothing: not even the last one of those that ask for a device which this user
// cannot read, and which has another name by now.
func TestProveGone_whenARequestFails(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.Add(t, "device", Object{"name": "renamed"})
	s.Add(t, "user", Object{"name": "ann", "password": "ann"})
	s.Add(t, "group", Object{"name": "g", "users": []string{"ann"}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}})
	id := idOf(t, s, "device", "renamed")
	ann := func(cfg *Config) { cfg.Username, cfg.Password = "ann", "ann" }
	var hidden *MaybeHiddenError
	if err := s.client(t, ann).ProveGone(t.Context(), "device", "node", "old", id); !errors.As(err, &hidden) {
		t.Fatalf("a renamed device: %v", err)
	}
	for query, of := range map[string]string{"/rest/query/device?id=": id, "/rest/query/node?name=": "987654", "/rest/search": "987654"} {
		s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			fails := strings.HasPrefix(r.URL.RequestURI(), query)
			if fails {
				fail(w, http.StatusInternalServerError, `{"alert":"Error 500 - Internal Server Error."}`)
			}
			return fails
		})
		if err := s.client(t, ann).ProveGone(t.Context(), "device", "node", "old", of); !InternalServerError(err) {
			t.Errorf("while eNMS answers %s with 500: %v", query, err)
		}
	}
}

// idOf returns the id of an instance.
func idOf(t *testing.T, s *server, typ, name string) string {
	t.Helper()
	found, err := s.client(t).FindByName(t.Context(), typ, name)
	testserver.Must(t, err)
	return endpoint.IDText(found["id"])
}
