// Test of what is forbidden, and what does not exist.

package enms

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

func TestForbiddenAndAbsent(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "there"})
	c := f.client(t)
	if _, err := c.Get(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.Delete(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	_, err := c.Delete(t.Context(), "service", "[Shared] Start")
	if refused, ok := errors.AsType[*RefusedError](err); !ok || !strings.Contains(refused.Reason, "not allowed to delete") {
		t.Error(err)
	}
	id := fmt.Sprint(f.Get(t, "device", "there")["id"])
	if row, err := c.FindByID(t.Context(), "device", id); err != nil || row["name"] != "there" {
		t.Error(row, err)
	}
	if _, err := c.FindByID(t.Context(), "device", "99"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	// A user who may see the device and ask for it in queries only.
	f.Add(t, "group", Object{"name": "g", "get_requests": []string{"/rest/query"}})
	f.Add(t, "user", Object{"name": "bob", "password": "bob", "groups": []string{"g"}})
	f.Add(t, "device", Object{"name": "there", "rbac_read": []string{"g"}})
	c = f.client(t, func(cfg *Config) { cfg.Username, cfg.Password = "bob", "bob" })
	if _, err := c.Get(t.Context(), "device", "there"); !errors.Is(err, ErrForbidden) || errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.Delete(t.Context(), "device", "there"); !errors.Is(err, ErrForbidden) {
		t.Error(err)
	}
	if f.Count("HEAD") != 0 {
		t.Error("HEAD makes eNMS fail")
	}
}
