// Tests of writes that eNMS stores before it fails.

package enms

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
)

// eNMS 5 stores an instance and then fails with what follows from it: the instance is there, and the
// error says so. On 4.7, an instance with the name is somebody else's.
func TestCreate_storedBeforeA500(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		row    string
		stored bool
	}{
		"5":           {`{"id": 7, "name": "p", "type": "pool", "description": "mine", "last_modified_by": "admin", "creation_time": ""}`, true},
		"5, another":  {`{"id": 7, "name": "p", "type": "pool", "description": "other", "last_modified_by": "admin", "creation_time": ""}`, false},
		"4.7, a copy": {`{"id": 7, "name": "p", "type": "pool", "description": "mine", "last_modified_by": "admin"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/instance/pool"):
					w.WriteHeader(http.StatusInternalServerError)
					_, _ = io.WriteString(w, `{"alert": "Error 500 - Internal Server Error."}`)
				default:
					_, _ = io.WriteString(w, "["+test.row+"]")
				}
			}))
			defer s.Close()
			c := newTestClient(t, s.URL)
			err := c.Create(t.Context(), Type{Name: "pool", Namespace: "pool"}, Object{"name": "p", "description": "mine"},
				func(row Object) bool { return row["description"] == "mine" })
			if _, stored := errors.AsType[*StoredError](err); stored != test.stored || err == nil {
				t.Errorf("the error is %v", err)
			}
			testserver.Must(t, t.Context().Err())
		})
	}
}
