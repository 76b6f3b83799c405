package layout_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A layout follows a workflow that somebody renames, unless workflows are identified by their names: then what has the
// name now has the layout, and without it the layout is gone.
func TestLayout_identifiedByName(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerWithWorkflow(t)
	typ, w := "enms_workflow_layout", s.Expand("NAME-w")
	byID, byName := s.Core(nil), s.Core(acctest.Attributes{"identify_by": "name"})
	config := acctest.Attributes{"workflow": w, "labels": labelValues(map[string]map[string]any{"title": labelValue("Upgrade", 0, 0, nil, nil)})}
	state := byID.Refreshed(typ, byID.Applied(typ, config, byID.NoState(typ)))
	s.Put("workflow", enms.Object{"id": s.Get("workflow", "NAME-w")["id"], "name": "NAME-x", "scoped_name": "NAME-x"})()

	if read := byID.Refreshed(typ, state); read.Text(t, "workflow") != s.Expand("NAME-x") {
		t.Errorf("by id, the layout is of %q", read.Text(t, "workflow"))
	}
	if read := byName.Refreshed(typ, state); !read.Value.IsNull() {
		t.Errorf("by name, the layout is %s", read.Value)
	}
	byName.Applied(typ, nil, state)
	if held := labelsIn(s, "NAME-x"); len(held) != 1 {
		t.Errorf("by name, the destroyed layout has left the renamed workflow the labels %v", held)
	}
}
