// Tests of the data source enms_server.

package operations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// A user who may read its own row learns the line and its rights.
func TestServer_ofEachUser(t *testing.T) {
	t.Parallel()
	for kind, version := range map[string]simulator.Version{"sqlite": simulator.V47, "enms-5.3": simulator.V53} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, kind, simulator.Options{Version: version})
			s.Put("user", enms.Object{"name": s.Expand("NAME-ann"), "password": "pw", "is_admin": false})()
			s.Put("user", enms.Object{"name": s.Expand("NAME-bob"), "password": "pw", "is_admin": false})()
			s.Put("group", enms.Object{"name": s.Expand("NAME-g"), "users": []string{s.Expand("NAME-ann")}, "menu": []string{}, "pages": []string{},
				"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}, "delete_requests": []string{}})()
			line := 4
			if version == simulator.V53 {
				line = 5
			}
			for _, test := range []struct {
				user, want string
			}{
				{"admin", fmt.Sprintf("%d supported admin true <nil>", line)},
				{s.Expand("NAME-ann"), fmt.Sprintf("%d supported %s false [GET /rest/instance GET /rest/query POST /rest/search]", line, s.Expand("NAME-ann"))},
				{s.Expand("NAME-bob"), fmt.Sprintf("<nil> <nil> %s <nil> <nil>", s.Expand("NAME-bob"))}, // who may not ask for its own row
			} {
				settings := acctest.Attributes(nil)
				if test.user != "admin" {
					settings = acctest.Attributes{"username": test.user, "password": "pw"}
				}
				read, diags := s.Core(settings).ReadDataSourceBy("enms_server", acctest.Attributes{})
				server := value.Members(read)
				requests, _ := server["requests"].([]any) // a set
				slices.SortFunc(requests, func(x, y any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
				got := fmt.Sprint(server["line"], " ", server["support"], " ", server["user"], " ", server["administrator"], " ", server["requests"])
				if diags.Failed() || got != test.want || !strings.HasPrefix(fmt.Sprint(server["address"]), "http://127.0.0.1:") {
					t.Errorf("%v: %s at %v, want %s", diags, got, server["address"], test.want)
				}
			}
		})
	}
}
