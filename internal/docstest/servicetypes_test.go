// Tests of the page "Service types".

package docstest

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// fieldRow is a row of a table of fields: its field and its default.
var fieldRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| [^|]+ \\| (.*?) \\|")

// ownSection is a link to a section of the same page.
var ownSection = regexp.MustCompile(`\]\(#([^)]+)\)`)

// Every field of every type is in the section of the type, or in one to which that section links, and only once; with
// the default of that type.
func TestServiceTypes_everyFieldOfEveryType(t *testing.T) {
	t.Parallel()
	content := readFile(t, filepath.Join(acctest.Repository, "docs", "guides", "service-types.md"))
	sections := map[string]string{}
	for _, section := range strings.Split(strings.ReplaceAll(content, "\r\n", "\n"), "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		sections[anchor(title)] = text
	}
	services := kinds.All()[slices.IndexFunc(kinds.All(), func(k *kind.Kind) bool { return k.Name == "service" })]
	for _, table := range services.Subtypes {
		section, is := sections[table.Name]
		if !is {
			t.Errorf("no section %s", table.Name)
			continue
		}
		rows := fieldRow.FindAllStringSubmatch(section, -1)
		for _, link := range ownSection.FindAllStringSubmatch(section, -1) {
			rows = append(rows, fieldRow.FindAllStringSubmatch(sections[link[1]], -1)...)
			if !strings.Contains(sections[link[1]], "(#"+table.Name+")") {
				t.Errorf("the section %s does not name %s", link[1], table.Name)
			}
		}
		found := map[string]string{}
		for _, row := range rows {
			if _, is := found[row[1]]; is {
				t.Errorf("%s has two rows %s", table.Name, row[1])
			}
			found[row[1]] = row[2]
		}
		for _, a := range table.Fields {
			byDefault, is := found[a.Name]
			delete(found, a.Name)
			want, err := json.Marshal(a.DefaultJSON())
			switch {
			case err != nil:
				t.Error(err)
			case a.Sample == is:
				t.Errorf("%s has a row %s: %t", table.Name, a.Name, is)
			case !a.Sample && !slices.Contains(services.Secrets, a.Name) && byDefault != "`"+string(want)+"`":
				t.Errorf("%s: the default of %s is %s on the page, %s in the table", table.Name, a.Name, byDefault, want)
			}
		}
		for name := range found {
			t.Errorf("%s has a row %s, but no such field", table.Name, name)
		}
	}
}
