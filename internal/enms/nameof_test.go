package enms

import (
	"errors"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// Names are looked up together and once, until a write that may change them: a creation
// does not.
func TestNamesOfIDs(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 100)
	ids := map[string]string{} // by name
	for _, row := range f.query(t, "device", nil) {
		ids[text(row, "name")] = idText(row["id"])
	}
	c := f.client(t)
	searches := func() int {
		t.Helper()
		before := f.count("POST /rest/search")
		for tens := range 10 {
			var callers errgroup.Group
			for i := range 10 {
				callers.Go(func() error {
					name := device(10*tens + i)
					got, err := c.NameOf(t.Context(), "device", ids[name])
					if got != name {
						t.Errorf("%s has the id of %s", got, name)
					}
					return err
				})
			}
			if err := callers.Wait(); err != nil {
				t.Error(err)
			}
		}
		return f.count("POST /rest/search") - before
	}
	if got := searches(); got != 4 { // forty are worth a page, of which there is one
		t.Errorf("%d searches for 100 names", got)
	}
	if err := c.Create(t.Context(), Type{Name: "pool", Namespace: "pool"}, Object{"name": "p"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := searches(); got != 0 {
		t.Errorf("%d searches for 100 names after a creation", got)
	}
	renamed := Object{"name": device(7), "new_name": "another"}
	if err := c.Upsert(t.Context(), Type{Name: "device", Namespace: "node"}, renamed); err != nil {
		t.Fatal(err)
	}
	if got, err := c.NameOf(t.Context(), "device", ids[device(7)]); got != "another" || err != nil {
		t.Errorf("renamed, and still %s: %v", got, err)
	}
	if _, err := c.NameOf(t.Context(), "device", "999"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}
