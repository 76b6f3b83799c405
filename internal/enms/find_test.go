// Tests of coalesced reads, of patterns, and of what a plan keeps.

package enms

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// oddNames are names that eNMS takes and that need care.
var oddNames = []string{
	" lead and trail ", "a#b", "100%", "%2F", "what?", "a;b", "a+b", "[Shared] x", "(a|b)", "^x$", "a.b*c", "{1,2}", "-", "~",
	"Zürich", "日本", "a&b=c", ".", "..", "\\d", "tab\there", "line\nend",
}

// Who must not use what was read before shares the search of who may.
func TestFindsOfNowTravelWithOthers(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 2)
	c := f.patientClient(t)
	finds := []func(context.Context, string, string, []string) (Object, error){c.Find, c.FindNow}
	for _, err := range testserver.Together(2, func(i int) error {
		_, err := finds[i](t.Context(), "device", testserver.Device(i), nil)
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if got := f.Count("POST /rest/search"); got != 1 {
		t.Errorf("%d searches", got)
	}
}

// Hundreds of entries may refer to the same instance. That it is missing is asked for them all.
func TestMissingIsConfirmedOnceForAll(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	c := f.client(t)
	for i, err := range testserver.Together(50, func(int) error {
		missing, err := c.Missing(t.Context(), "group", []string{"gone", "lost"})
		if err == nil && !slices.Equal(missing, []string{"gone", "lost"}) {
			err = fmt.Errorf("missing are %q", missing)
		}
		return err
	}) {
		if err != nil {
			t.Errorf("caller %d: %v", i, err)
		}
	}
	if n := f.Count("GET /rest/query/group"); n < 2 || n > 10 {
		t.Errorf("%d questions about two instances", n)
	}
}

// ask makes the finds of one batch, without a pause.
func ask(c *Client, t *testing.T, typ string, names []string, columns ...string) {
	t.Helper()
	var asked []find
	for _, name := range names {
		if row, err := c.store.Current().Names.Find(typ, name, columns); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if row == nil {
			asked = append(asked, find{value: name, columns: columns})
		}
	}
	if len(asked) == 0 {
		return
	}
	for i, a := range answerFinds(t.Context(), c, c.store.Current().Names, typ, asked) {
		if a.Err != nil || endpoint.String(a.Value, "name") != asked[i].value {
			t.Errorf("%s: %v %v", asked[i].value, a.Value, a.Err)
		}
	}
}

func TestTheTotalIsAboutTwiceTheBetterWay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ asked, there, atATime int }{
		{1000, 1000, 10}, {20, 5000, 10}, {50, 8000, 10}, {80, 8000, 10}, {800, 8000, 100}, {1000, 2500, 1}, {100, 100, 100},
	} {
		t.Run(fmt.Sprintf("%d of %d by %d", test.asked, test.there, test.atATime), func(t *testing.T) {
			t.Parallel()
			f := newServer(t, simulator.Options{})
			rows := make([]Object, test.there)
			for i := range rows {
				rows[i] = Object{"name": testserver.Device(i), "vendor": "v"}
			}
			f.Add(t, "device", rows...)
			c := f.client(t)
			var names []string
			for i := range test.asked {
				names = append(names, testserver.Device(i*(test.there/test.asked)))
			}
			for part := range slices.Chunk(names, test.atATime) {
				ask(c, t, "device", part, "vendor")
			}
			searches := (test.asked + test.atATime - 1) / test.atATime
			pages := test.there/cache.PageRows + 1
			// Until the threshold is passed nobody knows that there will be more.
			first := cache.ManyFinds/test.atATime + 1
			if total := f.Count(""); total > 2*min(searches, pages)+first {
				t.Errorf("%d requests, when %d searches or %d pages would do", total, searches, pages)
			}
			if test.asked <= cache.ManyFinds && f.Pages() > 0 || f.Pages() > searches {
				t.Errorf("%d pages", f.Pages())
			}
		})
	}
}

// What was deleted in the Workflow Builder of eNMS 5 is gone, also if a page of the whole type returns it.
func TestPagesHoldWhatIsDeleted(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{Version: simulator.V53})
	var names []string
	for i := range 2 * cache.ManyFinds {
		name := fmt.Sprintf("s%d", i)
		f.Add(t, "service", Object{"name": name, "scoped_name": name, "soft_deleted": i == 3})
		names = append(names, name)
	}
	c := f.client(t)
	for range 3 { // from searches, from a page, and from what is known of it
		for i, err := range testserver.Together(len(names), func(i int) error {
			_, err := c.Find(t.Context(), "service", names[i], []string{"description"})
			return err
		}) {
			if gone := errors.Is(err, ErrNotFound); gone != (i == 3) || !gone && err != nil {
				t.Errorf("%s: %v", names[i], err)
			}
		}
	}
}

// A type with a damaged row cannot be paged, but its other instances be found.
func TestPagesThatFail(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	var names []string
	for i := range 100 {
		f.Add(t, "device", Object{"name": testserver.Device(i)})
		names = append(names, testserver.Device(i))
	}
	f.Intercept(func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
		fails := strings.Contains(string(body), `"search_criteria":{}`)
		if fails {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"alert":"Error 500 - Internal Server Error."}`))
		}
		return fails
	})
	c := f.client(t)
	for part := range slices.Chunk(names, 20) {
		ask(c, t, "device", part)
	}
	f.Intercept(nil)
	c.Forget()
	for part := range slices.Chunk(names, 20) {
		ask(c, t, "device", part)
	}
}

func TestRelated(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": testserver.Device(1)}, Object{"name": "other"})
	f.Add(t, "link", Object{"name": "l1", "source": testserver.Device(1), "destination": "other"}, Object{"name": "l2", "source": testserver.Device(1), "destination": "other"})
	c := f.client(t)
	for i, err := range testserver.Together(10, func(i int) error {
		rows, err := c.Related(t.Context(), "link", "source", testserver.Device(i))
		if want := map[bool]int{true: 2}[i == 1]; err == nil && len(rows) != want {
			err = fmt.Errorf("%d rows", len(rows))
		}
		return err
	}) {
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
	}
	before := f.Count("")
	for _, err := range testserver.Together(10, func(i int) error {
		rows, err := c.Related(t.Context(), "link", "destination", testserver.Device(i))
		if err == nil && len(rows) != 0 {
			err = fmt.Errorf("%v", rows)
		}
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if n := f.Count("") - before; n > 3 {
		t.Errorf("%d requests for nothing", n)
	}
}

// Names are looked up together and once, until a write that may change them: a creation
// does not.
func TestNamesOfIDs(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 100)
	ids := map[string]string{} // by name
	for _, row := range f.Query(t, "device", nil) {
		ids[endpoint.String(row, "name")] = endpoint.IDText(row["id"])
	}
	c := f.client(t)
	searches := func() int {
		t.Helper()
		before := f.Count("POST /rest/search")
		for tens := range 10 {
			var callers errgroup.Group
			for i := range 10 {
				callers.Go(func() error {
					name := testserver.Device(10*tens + i)
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
		return f.Count("POST /rest/search") - before
	}
	if got := searches(); got != 1 { // ten are worth a page, of which there is one
		t.Errorf("%d searches for 100 names", got)
	}
	if err := c.Create(t.Context(), Type{Name: "pool", Namespace: "pool"}, Object{"name": "p"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := searches(); got != 0 {
		t.Errorf("%d searches for 100 names after a creation", got)
	}
	if err := c.Upsert(t.Context(), Type{Name: "device", Namespace: "node"}, Object{"name": testserver.Device(7), "positions": Object{"n": []int{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	if got := searches(); got != 0 {
		t.Errorf("%d searches for 100 names after a device was moved", got)
	}
	renamed := Object{"name": testserver.Device(7), "new_name": "another"}
	if err := c.Upsert(t.Context(), Type{Name: "device", Namespace: "node"}, renamed); err != nil {
		t.Fatal(err)
	}
	if got, err := c.NameOf(t.Context(), "device", ids[testserver.Device(7)]); got != "another" || err != nil {
		t.Errorf("renamed, and still %s: %v", got, err)
	}
	if _, err := c.NameOf(t.Context(), "device", "999"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// A row with another id than the one that was asked for is not taken for the instance. If eNMS cannot answer, there is no
// instance with the id, which PostgreSQL cannot hold; one with a name may exist.
func TestFind_wrongAnswers(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.Add(t, "device", Object{"name": "a"})
	id := idOf(t, s, "device", "a")
	status := http.StatusOK
	s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if r.URL.Path == "/rest/query/device" {
			fail(w, status, `[{"id": `+id+`9, "name": "b", "type": "device"}]`)
		} else {
			fail(w, http.StatusOK, "[]")
		}
		return true
	})
	c := s.client(t)
	for _, find := range []func(_ context.Context, typ, id string) (Object, error){c.FindByID, c.FindTogetherByID} {
		row, err := find(t.Context(), "device", id)
		if wrong, is := errors.AsType[*FieldError](err); !is || wrong.Field != "id" {
			t.Errorf("the row %v, %v", row, err)
		}
	}
	status = http.StatusInternalServerError
	if row, err := c.FindTogetherByID(t.Context(), "device", id); !errors.Is(err, ErrNotFound) {
		t.Errorf("by id: %v, %v", row, err)
	}
	if row, err := c.Find(t.Context(), "device", "a", nil); !InternalServerError(err) {
		t.Errorf("by name: %v, %v", row, err)
	}
}
