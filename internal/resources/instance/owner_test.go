// Tests of operations that wait for each other, and of names that instances have for a moment.

package instance

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A deletion of what a creation has taken over waits until the creation is over: it leaves the
// object to that one, or, if that does not keep it, fails.
func TestDeletionWaitsForCreation(t *testing.T) {
	t.Parallel()
	for became, want := range map[string]string{"kept": "owned", "released": "an error", "others have its name and its id": "free"} {
		synctest.Test(t, func(t *testing.T) {
			p := &resources.Provider{}
			k := &kind.Kind{Name: "device", Namespace: "node"}
			many := NewEntries(k, p)
			end := many.BeginCreation()
			owns := func(name, id string) {
				many.recordOutcome(resourcetest.Texts(map[string]string{"name": name, "id": id}), "", applying.Ownership{Status: applying.Owned})
			}
			owns("d", "7")
			over := false
			go func() {
				owned, err := New(k, p).leftToAnother(t.Context(), kind.PolicyDelete, "d", "7")
				if over = true; owned != (want == "owned") || failures.Is[*failures.Owned](err) != (want == "an error") {
					t.Errorf("%s: owned by another: %t, %v", became, owned, err)
				}
			}()
			if synctest.Wait(); over {
				t.Error("it did not wait")
			}
			switch became {
			case "released":
				many.Release("d", "7")
			case "others have its name and its id":
				owns("e", "7")
				owns("d", "8")
			}
			end()
			if synctest.Wait(); !over {
				t.Error("it still waits")
			}
		})
	}
}

// Entries whose names are taken wait together for somebody who gives the names up, and fail together: hundreds of them as
// soon as one. Resources give up one after the other, as Terraform then begins another operation.
func TestTakenNamesAreAwaitedTogether(t *testing.T) {
	t.Parallel()
	const count = 300
	for what, test := range map[string]struct {
		resource  func() *Instances
		operation applying.Operation
		last      bool // whether the last one waits much longer than the first
	}{
		"creations of entries": {many, applying.Create, false},
		"renames of entries":   {many, applying.Update, true},
		"resources":            {one, applying.Create, true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, began := test.resource(), time.Now()
				var first, last time.Duration
				var mu sync.Mutex
				for i := range count {
					name := fmt.Sprint("d", i)
					end, err := r.begin(t.Context(), test.operation, "", name)
					if err != nil {
						t.Fatal(err)
					}
					w := r.write(nil, resourcetest.Texts(map[string]string{"name": name}), nil, record.Record{})
					go func() {
						defer end()
						time.Sleep(time.Duration(i) * time.Millisecond)
						if _, free := w.awaitName(t.Context(), test.operation, &enms.ExistsError{Name: name, ID: "7"}, nil, 0, false); free {
							t.Errorf("nobody gives up the name %s", name)
						}
						mu.Lock()
						defer mu.Unlock()
						if last = time.Since(began); first == 0 {
							first = last
						}
					}()
				}
				time.Sleep(24 * time.Hour)
				if mu.Lock(); first == 0 || last > 10*first != test.last {
					t.Errorf("the first waited for %s, the last for %s", first, last)
				}
			})
		})
	}
}

// one and many return the devices of a resource of one instance, and of an enms_instances.
func one() *Instances { return New(&kind.Kind{Name: "device", Namespace: "node"}, nil) }

func many() *Instances { return NewEntries(&kind.Kind{Name: "device", Namespace: "node"}, nil) }

// What other resources of a run, and its own, may do with an object: U is an update that is refused, O a creation or a new
// name that is refused, L a deletion that leaves it to another resource, and R a replacement.
func TestOwner_ofAnObject(t *testing.T) {
	t.Parallel()
	k, router := &kind.Kind{Name: "device", Namespace: "node"}, &kind.Kind{Name: "router", Namespace: "node"}
	for what, test := range map[string]struct {
		status      applying.Status
		id          string // as recorded for the object d, which was c
		asked, by   string // the name and the id
		another     *kind.Kind
		others, own string
	}{
		"owned":                  {applying.Owned, "7", "d", "7", k, "UOL", ""},
		"by its former name":     {applying.Owned, "7", "c", "7", k, "UOL", ""},
		"by its id alone":        {applying.Owned, "7", "x", "7", k, "UO", ""},
		"by its name alone":      {applying.Owned, "7", "d", "", k, "UOL", ""},
		"another id":             {applying.Owned, "7", "d", "8", k, "", ""},
		"another name":           {applying.Owned, "7", "x", "", k, "", ""},
		"without an id":          {applying.Owned, "", "d", "7", k, "UOL", ""},
		"deleted":                {applying.Deleted, "7", "d", "7", k, "UR", "R"},
		"deleted, another kind":  {applying.Deleted, "7", "d", "7", router, "U", "R"},
		"deleted, under another": {applying.Deleted, "7", "x", "7", k, "", ""},
		"not deleted":            {applying.Undeleted, "7", "d", "7", k, "UO", ""},
		"abandoned":              {applying.Abandoned, "7", "d", "7", k, "", ""},
		"released":               {applying.Released, "7", "d", "7", k, "", ""},
	} {
		p := &resources.Provider{}
		own := New(k, p)
		own.recordOutcome(resourcetest.Texts(map[string]string{"name": "d", "id": test.id}), "c", applying.Ownership{Status: test.status})
		for of, want := range map[*Instances]string{own: test.own, New(test.another, p): test.others} {
			said := ""
			for letter, is := range map[string]bool{"U": of.checkUpdate(test.asked, test.by) != nil, "O": of.checkOwner(test.asked, test.by) != nil,
				"L": of.isOwnedByAnother(test.asked, test.by), "R": of.replaced(test.asked).Status == applying.Deleted} {
				if is != strings.Contains(want, letter) {
					said += letter
				}
			}
			if said != "" {
				t.Errorf("%s, own %t: %s are wrong, want %s", what, of == own, said, want)
			}
		}
	}
}

// A deletion waits for another resource alone, and not if it deletes nothing.
func TestOwner_waitsForNobody(t *testing.T) {
	t.Parallel()
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	p := &resources.Provider{}
	k := &kind.Kind{Name: "device", Namespace: "node"}
	many := NewEntries(k, p)
	defer many.BeginCreation()()
	many.recordOutcome(resourcetest.Texts(map[string]string{"name": "d", "id": "7"}), "", applying.Ownership{Status: applying.Owned})
	for what, test := range map[string]struct {
		by           *Instances
		policy, name string
		owned, fails bool
	}{
		"another":                {New(k, p), kind.PolicyDelete, "d", false, true},
		"another, that abandons": {New(k, p), kind.PolicyAbandon, "d", true, false},
		"its own":                {many, kind.PolicyDelete, "d", false, false},
		"nobody":                 {New(k, p), kind.PolicyDelete, "x", false, false},
	} {
		if owned, err := test.by.leftToAnother(interrupted, test.policy, test.name, "7"); owned != test.owned || (err != nil) != test.fails {
			t.Errorf("%s: owned %t, %v", what, owned, err)
		}
	}
	end, err := many.begin(t.Context(), applying.Delete, "7", "d")
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if _, err := New(k, p).begin(interrupted, applying.Create, "", "d"); err == nil {
		t.Error("an interrupt does not end what waits")
	}
}

// What waits for a name lets others have it meanwhile, and has it again afterwards.
func TestAwaitName_takesTheNameAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		interrupted, cancel := context.WithCancel(t.Context())
		cancel()
		i := New(&kind.Kind{Name: "device", Namespace: "node"}, &resources.Provider{})
		end, err := i.begin(t.Context(), applying.Create, "", "d")
		if err != nil {
			t.Fatal(err)
		}
		w := i.write(nil, resourcetest.Texts(map[string]string{"name": "d"}), nil, record.Record{})
		if _, free := w.awaitName(t.Context(), applying.Create, &enms.ExistsError{Name: "d", ID: "7"}, nil, 0, false); free {
			t.Error("nobody has given up the name")
		}
		if _, err := i.begin(interrupted, applying.Delete, "", "d"); err == nil {
			t.Error("a deletion begins during the creation")
		}
		end()
	})
}

// A rename for whose old name another one waits gives that name up, and takes its new name once that is free.
func TestUpdate_givesUpItsNameEarly(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.V47)
	s.Add(t, "device", testserver.Object{"name": "c"})
	state := s.read(t, "device", "c")
	rename := func(from, to string) chan string {
		config, prior, said := resourcetest.Texts(map[string]string{"name": to}), s.read(t, "device", from), make(chan string, 1)
		go func() {
			_, _, diags := s.of("device").Update(t.Context(), config, s.planOf("device", config, prior), prior, record.Record{})
			said <- resourcetest.Text(diags)
		}()
		return said
	}
	first, second := rename("a", "c"), rename("b", "a")
	if said := <-second; said != "" {
		t.Error(said)
	}
	deleted := s.of("device").Delete(t.Context(), state, record.Record{})
	if said := <-first; said != "" || deleted.HasError() || s.idOf(t, "device", "c") != s.IDs["a"] || s.idOf(t, "device", "a") != s.IDs["b"] {
		t.Error(said, resourcetest.Text(deleted), s.Names(t, "device"))
	}
}

func TestTemporaryName(t *testing.T) {
	t.Parallel()
	name := temporaryName(strings.Repeat("ü", 300), "1234567890")
	if runes := len([]rune(name)); runes > 250 || kind.WrongName(name) != "" {
		t.Errorf("a temporary name of %d characters: %s", runes, kind.WrongName(name))
	}
}
