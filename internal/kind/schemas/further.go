// This file documents the further fields of a kind.

package schemas

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// FurtherMarkdown describes the further fields in Markdown: those of every subtype, then those of each.
func FurtherMarkdown(k *kind.Kind) string {
	var page strings.Builder
	page.WriteString("## Fields of every " + k.Name + "\n\n")
	writeFields(k, &page, slices.DeleteFunc(slices.Clone(k.Further), func(a kind.Attribute) bool { return a.Sample }))
	for _, table := range k.Subtypes {
		fmt.Fprintf(&page, "## `%s`\n\n%s\n\n", table.Name, table.Doc)
		writeFields(k, &page, slices.DeleteFunc(slices.Clone(table.Fields), func(a kind.Attribute) bool { return a.Sample }))
	}
	page.WriteString("## Custom properties of eNMS's sample configuration\n\n" +
		"Your eNMS has these unless they were removed. They may be declared differently there, so their values are not checked.\n\n")
	writeFields(k, &page, samples(k))
	return strings.TrimRight(page.String(), "\n") + "\n"
}

// samples returns the further fields of eNMS's sample configuration.
func samples(k *kind.Kind) []kind.Attribute {
	all := slices.Clone(k.Further)
	for _, table := range k.Subtypes {
		all = append(all, table.Fields...)
	}
	return slices.DeleteFunc(all, func(a kind.Attribute) bool { return !a.Sample })
}

// writeFields writes a table of rows by their names.
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
		fmt.Fprintf(page, "| `%s` | %s | %s | %s |\n", a.Name, typeText(a), byDefault, strings.ReplaceAll(furtherDoc(a), "|", "\\|"))
	}
	page.WriteString("\n")
}

// typeText returns the type in words, without an article.
func typeText(a kind.Attribute) string {
	text := strings.TrimPrefix(strings.TrimPrefix(a.Type.InWords(), "an "), "a ")
	if a.IsRelation() {
		text += fmt.Sprintf(" (`%s`)", a.Of)
	}
	return text
}

// furtherDoc returns what a further field means, with its choices.
func furtherDoc(a kind.Attribute) string {
	doc := strings.TrimSuffix(a.Doc+" "+checks.Choices(a), " ")
	return strings.TrimSuffix(doc+" "+checks.Lines(a), " ")
}
