// This file documents the properties of a kind.

package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// PropertiesMarkdown describes the properties in Markdown: those of every subtype, then those of each.
func PropertiesMarkdown(k *kind.Kind) string {
	var page strings.Builder
	page.WriteString("## Fields of every " + k.Name + "\n\n")
	writeFields(k, &page, ofSample(k.Properties, false))
	samples := ofSample(k.Properties, true)
	for _, table := range k.Subtypes {
		fmt.Fprintf(&page, "## `%s`\n\n%s\n\n", table.Name, table.Doc)
		writeFields(k, &page, ofSample(table.Fields, false))
		samples = append(samples, ofSample(table.Fields, true)...)
	}
	page.WriteString("## Custom properties of eNMS's sample configuration\n\n" +
		"Your eNMS has these unless they were removed. They may be declared differently there, so their values are not checked.\n\n")
	writeFields(k, &page, samples)
	return strings.TrimRight(page.String(), "\n") + "\n"
}

// ofSample returns the rows of fields of eNMS's sample configuration, or with false all others.
func ofSample(rows []kind.Attribute, sample bool) []kind.Attribute {
	return slices.DeleteFunc(slices.Clone(rows), func(a kind.Attribute) bool { return a.Sample != sample })
}

// writeFields writes a table of rows, sorted by name.
func writeFields(k *kind.Kind, page *strings.Builder, rows []kind.Attribute) {
	if len(rows) == 0 {
		page.WriteString("It has no fields of its own.\n\n")
		return
	}
	slices.SortFunc(rows, func(a, b kind.Attribute) int { return strings.Compare(a.Name, b.Name) })
	page.WriteString("| Field | Type | Default | Meaning |\n|---|---|---|---|\n")
	for _, a := range rows {
		document, _ := json.Marshal(a.DefaultJSON()) // it was decoded from JSON
		byDefault := "`" + string(document) + "`"
		switch {
		case slices.Contains(k.Secrets, a.Name):
			byDefault = "a secret: eNMS never returns it"
		case a.Type == kind.One:
			byDefault = "none"
		}
		fmt.Fprintf(page, "| `%s` | %s | %s | %s |\n", a.Name, typeText(a), byDefault, strings.ReplaceAll(sentences(a.Doc, checks.Choices(a), checks.Lines(a)), "|", "\\|"))
	}
	page.WriteString("\n")
}

// typeText returns the type in words, without an article, and the type of related instances.
func typeText(a kind.Attribute) string {
	text := strings.TrimPrefix(strings.TrimPrefix(a.Type.InWords(), "an "), "a ")
	if a.IsRelation() {
		text += fmt.Sprintf(" (`%s`)", a.Of)
	}
	return text
}
