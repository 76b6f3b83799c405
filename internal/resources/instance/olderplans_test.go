// Updates whose plan is older than what others have done since: a saved plan, or one that was
// made with -refresh=false.

package instance_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// An update changes only the instance in the state. If others have deleted, renamed or replaced it,
// nothing is written, and nothing is created. After a restore of eNMS, the instance with the name
// and the content has another id, and is updated.
func TestOlderPlan_changesNoOtherInstance(t *testing.T) {
	t.Parallel()
	single := func(vendor string) (typ string, config acctest.Attributes) {
		return "enms_device", acctest.Attributes{"name": "NAME-x", "description": "NAME-ours", "vendor": vendor}
	}
	entry := func(vendor string) (typ string, config acctest.Attributes) {
		return "enms_instances", acctest.Attributes{"type": "device", "instances": map[string]any{"NAME-x": map[string]any{"description": "NAME-ours", "vendor": vendor}}}
	}
	remove := func(s *acctest.Server) { s.Drop("device", "NAME-x")() }
	put := func(s *acctest.Server, device enms.Object) { s.Put("device", device)() }
	for what, others := range map[string]struct {
		do      func(s *acctest.Server)
		says    []string // of the error; nil if the instance is updated
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
		"replaced by one with the same content": {do: func(s *acctest.Server) {
			remove(s)
			put(s, enms.Object{"name": "NAME-other"})
			put(s, enms.Object{"name": "NAME-x", "description": "NAME-ours", "vendor": "Cisco"})
		}, says: []string{"Cannot update device", "created another one", "Nothing was changed"}, holds: "Cisco"},
	} {
		for _, of := range []func(string) (string, acctest.Attributes){single, entry} {
			typ, config := of("Cisco")
			t.Run(typ+" "+what, func(t *testing.T) {
				t.Parallel()
				s := acctest.NewServer(t)
				if strings.HasPrefix(what, "replaced") {
					s.OnlySimulated("ids are only reused for sure when nobody else writes")
				}
				c := s.Core(nil)
				for _, name := range []string{"NAME-x", "NAME-y", "NAME-other"} {
					t.Cleanup(s.Drop("device", name))
				}
				state := c.Applied(typ, expanded(s, config), c.NoState(typ))
				others.do(s)
				_, changed := of("Juniper")
				after, diags := c.Apply(typ, expanded(s, changed), state)
				if said := diags.String(); diags.Failed() != (others.says != nil) || diags.Failed() && (!s.Says(others.says...).MatchString(said) || strings.Count(said, "ERROR") != 1) {
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
				if !diags.Failed() {
					acctest.PlanIsEmpty(c, typ, expanded(s, changed), c.Refreshed(typ, after))
				}
			})
		}
	}
}

// Between the last question and the write, others may still rename the instance: then eNMS creates
// a second one, which the error names.
func TestOlderPlan_renamedAtTheSameMoment(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("others have to come at the right moment")
	rename := sync.OnceFunc(s.Put("device", enms.Object{"name": "NAME-x", "new_name": "NAME-y"}))
	earlier := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-x"), "vendor": "Cisco"}
	state := earlier.Applied("enms_device", config, earlier.NoState("enms_device"))
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance") {
			rename()
		}
		s.Simulator.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	c := s.Core(acctest.Attributes{"base_url": front.URL, "former_base_urls": []string{s.URL}})
	config["description"] = "changed"
	if _, diags := c.Apply("enms_device", config, state); !s.Says("Cannot update device", "somebody deleted or renamed it", `what has the name "NAME-x" now`, "plan again").MatchString(diags.String()) {
		t.Error(diags)
	}
	s.Check(s.Holds("device", "NAME-y", "vendor", "Cisco"))
}

// expanded puts the prefix of the test in place of NAME- in a configuration.
func expanded(s *acctest.Server, config acctest.Attributes) acctest.Attributes {
	all := maps.Clone(config)
	for _, attribute := range []string{"name", "description"} {
		if text, is := all[attribute].(string); is {
			all[attribute] = s.Expand(text)
		}
	}
	if entries, is := all["instances"].(map[string]any); is {
		named := map[string]any{}
		for name, entry := range entries {
			if members, is := entry.(map[string]any); is {
				entry = map[string]any(expanded(s, members))
			}
			named[s.Expand(name)] = entry
		}
		all["instances"] = acctest.ObjectValue(named)
	}
	return all
}
