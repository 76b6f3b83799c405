// This file holds the pages of docs/ against the schema, without make generate.

package docstest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// documented is an attribute on a page: its heading, name, type and description.
var documented = regexp.MustCompile("(?m)^#* ?(Required|Optional|Read-Only):?$|^- `(\\w+)` \\(([^)]*)\\) (.*)$")

// writeOnlyLink says that an attribute is write-only.
var writeOnlyLink = regexp.MustCompile(`\[Write-only\]\([^)]*\)`)

// Each attribute of a schema is on its page, with its type and its description, among those that are required, optional or
// read-only, and the page has no others.
func TestPages_showTheSchema(t *testing.T) {
	t.Parallel()
	server, err := provider.NewServer("test")
	if err != nil {
		t.Fatal(err)
	}
	all, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	checkSchemaPage(t, "index", all.Provider)
	for dir, schemas := range map[string]map[string]*tfprotov6.Schema{
		"resources": all.ResourceSchemas, "data-sources": all.DataSourceSchemas,
		"ephemeral-resources": all.EphemeralResourceSchemas, "list-resources": all.ListResourceSchemas,
	} {
		for name, s := range schemas {
			checkSchemaPage(t, dir+"/"+strings.TrimPrefix(name, "enms_"), s)
		}
	}
	for name, s := range all.ActionSchemas {
		checkSchemaPage(t, "actions/"+strings.TrimPrefix(name, "enms_"), s.Schema)
	}
}

// checkSchemaPage compares the attributes on a page with those of a schema, in any order.
func checkSchemaPage(t *testing.T, page string, s *tfprotov6.Schema) {
	t.Helper()
	content := readFile(t, filepath.Join(acctest.Repository, "docs", filepath.FromSlash(page)+".md"))
	_, text, _ := strings.Cut(strings.ReplaceAll(content, "\r\n", "\n"), "\n## Schema\n")
	text, _, _ = strings.Cut(text, "\n## ") // such as Import, which shows the identity
	text = writeOnlyLink.ReplaceAllString(text, "Write-only")
	shown, heading := []string{}, ""
	for _, match := range documented.FindAllStringSubmatch(text, -1) {
		if match[1] != "" {
			heading = match[1]
			continue
		}
		description, _, _ := strings.Cut(match[4], " (see [below")
		shown = append(shown, fmt.Sprintf("%s: %s (%s) %s", heading, match[2], match[3], description))
	}
	for _, a := range attributesOf(s.Block) {
		if at := slices.Index(shown, a); at >= 0 {
			shown = slices.Delete(shown, at, at+1)
		} else {
			t.Errorf("docs/%s.md lacks %s", page, a)
		}
	}
	if len(shown) > 0 {
		t.Errorf("docs/%s.md has %q, but the schema has not", page, shown)
	}
}

// attributesOf returns the attributes and blocks of a block and all in it as a page shows them.
func attributesOf(b *tfprotov6.SchemaBlock) (lines []string) {
	lines = attributeLines(b.Attributes)
	for _, nested := range b.BlockTypes {
		lines = append(append(lines, fmt.Sprintf("Optional: %s (Block, Optional) %s", nested.TypeName, nested.Block.Description)), attributesOf(nested.Block)...)
	}
	return lines
}

// attributeLines is attributesOf for attributes.
func attributeLines(attributes []*tfprotov6.SchemaAttribute) (lines []string) {
	for _, a := range attributes {
		heading := "Optional"
		switch {
		case a.Required:
			heading = "Required"
		case !a.Optional:
			heading = "Read-Only"
		}
		var typ string
		if a.NestedType != nil {
			typ = "Attributes" + map[tfprotov6.SchemaObjectNestingMode]string{tfprotov6.SchemaObjectNestingModeList: " List", tfprotov6.SchemaObjectNestingModeMap: " Map", tfprotov6.SchemaObjectNestingModeSet: " Set"}[a.NestedType.Nesting]
			lines = append(lines, attributeLines(a.NestedType.Attributes)...)
		} else {
			typ = typeWords.Replace(a.Type.String())
		}
		if a.Sensitive {
			typ += ", Sensitive"
		}
		if a.DeprecationMessage != "" {
			typ += ", Deprecated"
		}
		if a.WriteOnly {
			typ += ", Write-only"
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s) %s", heading, a.Name, typ, a.Description))
	}
	return lines
}

// typeWords writes a type as pages do.
var typeWords = strings.NewReplacer("tftypes.DynamicPseudoType", "Dynamic", "tftypes.Bool", "Boolean",
	"tftypes.List[", "List of ", "tftypes.Set[", "Set of ", "tftypes.Map[", "Map of ", "tftypes.", "", "]", "")
