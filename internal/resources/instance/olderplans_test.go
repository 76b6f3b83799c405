// Updates whose plan is older than what others have done since: a saved plan, or one that was
// made with -refresh=false.

package instance_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// An update changes only the instance in the state. If others have deleted, renamed or replaced it,
// nothing is written, and nothing is created.
func TestOlderPlan_changesNoOtherInstance(t *testing.T) {
	t.Parallel()
	remove := func(s *acctest.Server) { s.Drop("device", "NAME-x")() }
	put := func(s *acctest.Server, device enms.Object) { s.Put("device", device)() }
	for what, others := range map[string]struct {
		do      func(s *acctest.Server)
		says    []string // of the error
		holds   string   // the vendor of the instance with the name; "" if there must be none
		renamed string   // another name that there must be, with the old vendor
	}{
		"deleted": {do: remove, says: []string{"Cannot update device", "Somebody deleted it after the plan was made", "Nothing was changed"}},
		"renamed": {do: func(s *acctest.Server) { put(s, enms.Object{"name": "NAME-x", "new_name": "NAME-y"}) },
			says: []string{"Cannot update device", `It was renamed to "NAME-y"`}, renamed: "NAME-y"},
		"replaced": {do: func(s *acctest.Server) {
			remove(s)
			put(s, enms.Object{"name": "NAME-other"}) // takes the id that is free
			put(s, enms.Object{"name": "NAME-x", "description": "theirs", "vendor": "Nokia"})
		}, says: []string{"Cannot update device", "created another one", "Nothing was changed"}, holds: "Nokia"},
		"renamed and replaced": {do: func(s *acctest.Server) {
			put(s, enms.Object{"name": "NAME-x", "new_name": "NAME-y"})
			put(s, enms.Object{"name": "NAME-x", "description": "theirs", "vendor": "Nokia"})
		}, says: []string{"Cannot update device", `It was renamed to "NAME-y"`}, holds: "Nokia", renamed: "NAME-y"},
	} {
		for typ, config := range map[string]func(s *acctest.Server, vendor string) acctest.Attributes{
			"enms_device": func(s *acctest.Server, vendor string) acctest.Attributes {
				return acctest.Attributes{"name": s.Expand("NAME-x"), "vendor": vendor}
			},
			"enms_instances": func(s *acctest.Server, vendor string) acctest.Attributes {
				return acctest.Entries(s, "device", map[string]any{"NAME-x": map[string]any{"vendor": vendor}})
			},
		} {
			t.Run(typ+" "+what, func(t *testing.T) {
				t.Parallel()
				s := acctest.NewServer(t)
				if what == "replaced" {
					s.OnlySimulated("ids are only reused for sure when nobody else writes")
				}
				c := s.Core(nil)
				state := c.Applied(typ, config(s, "Cisco"), c.NoState(typ))
				others.do(s)
				_, diags := c.Apply(typ, config(s, "Juniper"), state)
				if said := diags.String(); !s.Says(others.says...).MatchString(said) || strings.Count(said, "ERROR") != 1 {
					t.Errorf("diagnostics: %s", diags)
				}
				if err := s.Absent("device", "NAME-x")(nil); (err == nil) != (others.holds == "") {
					t.Error(err)
				}
				if others.holds != "" {
					s.Check(s.Holds("device", "NAME-x", "vendor", others.holds))
				}
				if others.renamed != "" {
					s.Check(s.Holds("device", others.renamed, "vendor", "Cisco"))
				}
			})
		}
	}
}

// Between the last question and the write, others may still rename the instance: then eNMS creates
// a second one, which the error names.
func TestOlderPlan_renamedAtTheSameMoment(t *testing.T) {
	t.Parallel()
	s, proxy := acctest.NewServerBehindProxy(t)
	rename := sync.OnceFunc(s.Put("device", enms.Object{"name": "NAME-x", "new_name": "NAME-y"}))
	c := s.Core(nil)
	config := acctest.Attributes{"name": "NAME-x", "vendor": "Cisco"}
	state := c.Applied("enms_device", config, c.NoState("enms_device"))
	proxy.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance") {
			rename()
		}
		return nil
	})
	config["description"] = "changed"
	if _, diags := c.Apply("enms_device", config, state); !s.Says("Cannot update device", "somebody deleted or renamed it", `what has the name "NAME-x" now`, "plan again").MatchString(diags.String()) {
		t.Error(diags)
	}
	s.Check(s.Holds("device", "NAME-y", "vendor", "Cisco"))
}
