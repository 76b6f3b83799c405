// Tests of the tables of rows: which rows a kind has, and which of them matter for which purpose.

package kind_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// namesOf returns the names of rows.
func namesOf(rows []kind.Attribute) string {
	var all []string
	for _, a := range rows {
		all = append(all, a.Name)
	}
	return strings.Join(all, " ")
}

func TestTable(t *testing.T) {
	t.Parallel()
	r := crate.Table()
	const settings = " properties_all adopt_existing deletion_policy"
	for what, test := range map[string]struct {
		rows []kind.Attribute
		want string
	}{
		"All":        {crate.Rows(), "id name type size lid place sealed owner keeper lorry parts tags extra filter first info now key_wo key_wo_version key properties properties_wo properties_wo_version" + settings},
		"Resource":   {r.Resource, "id name type size lid place sealed owner keeper lorry parts tags extra filter first info key_wo key_wo_version key properties properties_wo properties_wo_version" + settings},
		"DataSource": {r.DataSource, "id name type size lid place sealed owner keeper lorry parts tags extra filter first info now properties"},
		"Remote":     {r.Remote, "id name type size lid place sealed owner keeper lorry parts tags extra filter first info properties"},
		"Sent":       {r.Sent, "name size lid place sealed owner keeper lorry parts tags extra filter properties"},
		"Fields":     {r.Fields, "size lid place sealed owner keeper lorry parts tags extra filter first info"},
		"Searched":   {r.Searched, "id name type size lid place sealed owner keeper tags extra filter info"},
		"Listed":     {r.Listed, "id name type size lid place sealed owner keeper tags info now"},
		"Unsearched": {r.Unsearched, "lorry parts first"},
		"Relations":  {r.Relations, "owner keeper lorry parts"},
		"Content":    {r.Content, "type size owner keeper tags extra filter info properties"},
		"Holds":      {r.Holds, "first"},
		"Secrets":    {r.Secrets, "key_wo properties_wo"},
		"Criteria":   {r.Criteria, "filter"},
		"Subtype":    {[]kind.Attribute{r.Subtype}, "type"},
		"defaults":   {crate.Defaultable(), "size properties"},
	} {
		same(t, what, namesOf(test.rows), test.want)
	}
	same(t, "PageColumns", r.PageColumns, "[extra form house id info keeper_id label lid name note owner_name part_color part_color_invert part_color_match place sealed size tags type]")
	var others []string // names under which rows are found beside their own
	for _, name := range slices.Sorted(maps.Keys(r.ByName)) {
		if a := r.ByName[name]; a.Name != name {
			others = append(others, name+"="+a.Name)
		}
	}
	same(t, "ByName", fmt.Sprint(len(r.ByName)-len(others), others), fmt.Sprint(len(crate.Rows())-1, " [keeper_id=keeper key=key_wo owner_id=owner]"))
}

func TestTable_properties(t *testing.T) {
	t.Parallel()
	p := crate.Table().Properties
	same(t, "Columns", p.Columns, "[form house label note]")
	same(t, "Relations", p.Relations, "[friends docks stamps]")
	same(t, "Objects", p.Objects, "[note form]")
	same(t, "Texts", p.Texts, "[form]")
	for subtype, want := range map[string]string{"chest": "[form house label note stamps] true", "trunk": "[house label] true", "van": "[house label] false"} {
		rows, complete := p.Of(subtype)
		same(t, subtype, fmt.Sprint(slices.Sorted(maps.Keys(rows)), complete), want)
	}
}

func TestTable_rowsOfEveryKind(t *testing.T) {
	t.Parallel()
	can := &kind.Kind{Name: "can", Off: value.Object{"x": false}, Rules: kind.Rules{MakeName: func(*kind.Plan) (string, bool) { return "", false }}}
	if !crate.Row(kind.RowName).Required || can.Row(kind.RowName).Required {
		t.Error("a name is required unless the kind makes it")
	}
	same(t, "policies", fmt.Sprint(crate.Row(kind.RowDeletionPolicy).OneOf, can.Row(kind.RowDeletionPolicy).OneOf), "[delete cascade abandon] [delete cascade abandon disable]")
	if doc := can.Row(kind.RowDeletionPolicy).Doc; !strings.Contains(doc, "`disable`") || strings.Contains(crate.Row(kind.RowDeletionPolicy).Doc, "`disable`") {
		t.Errorf("the documentation names the policies: %s", doc)
	}
	for name, readOnly := range map[string]bool{kind.RowID: true, kind.RowPropertiesAll: true, kind.RowName: false, kind.RowProperties: false} {
		if crate.Row(name).ReadOnly != readOnly {
			t.Errorf("%s is computed: %v", name, !readOnly)
		}
	}
	plain := crate.Rows()[slices.IndexFunc(crate.Rows(), func(a kind.Attribute) bool { return a.Name == "key" })]
	if secret := crate.Row("key_wo"); plain.Instead.Name != "key_wo" || secret.SentAs != "key" || !strings.Contains(secret.Doc, "`key_wo_version`") || crate.Row("properties_wo").SentAs != "" {
		t.Errorf("the rows of a secret are %v and %v", plain, secret)
	}
}

func TestAttribute_Columns(t *testing.T) {
	t.Parallel()
	shapes := kind.CriteriaValue(map[string]*kind.Criterion{"color": {}, "shape": {}})
	for name, want := range map[string]string{
		"owner": "[owner_name]", "keeper": "[keeper_id]", "lorry": "[lorry]", "size": "[size]",
		"filter": "[part_color part_color_match part_color_invert part_shape part_shape_match part_shape_invert]",
	} {
		same(t, name, crate.Row(name).Columns(shapes), want)
	}
	for want, a := range map[bool]kind.Attribute{true: {Type: kind.One, ReadFrom: "owner_name"}, false: {Type: kind.One}} {
		same(t, "searches return a relation to one with a name or an id", a.InSearch(), want)
	}
}
