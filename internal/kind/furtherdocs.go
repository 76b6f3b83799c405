// This file reads the rows of further fields as their documentation.

package kind

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// FurtherMarkdown describes the further fields in Markdown: those of every subtype,
// then those of each.
func (k *Kind) FurtherMarkdown() string {
	var page strings.Builder
	page.WriteString("## Fields of every " + k.Name + "\n\n")
	k.writeFields(&page, slices.DeleteFunc(slices.Clone(k.Further), func(a Attribute) bool { return a.Sample }))
	for _, table := range k.Subtypes {
		fmt.Fprintf(&page, "## `%s`\n\n%s\n\n", table.Name, table.Doc)
		k.writeFields(&page, slices.DeleteFunc(slices.Clone(table.Fields), func(a Attribute) bool { return a.Sample }))
	}
	page.WriteString("## Custom properties of eNMS's sample configuration\n\n" +
		"Your eNMS has these unless they were removed. They may be declared differently there, so their values are not checked.\n\n")
	k.writeFields(&page, k.samples())
	return strings.TrimRight(page.String(), "\n") + "\n"
}

// samples returns the custom properties of eNMS's sample configuration.
func (k *Kind) samples() []Attribute {
	all := slices.Clone(k.Further)
	for _, table := range k.Subtypes {
		all = append(all, table.Fields...)
	}
	return slices.DeleteFunc(all, func(a Attribute) bool { return !a.Sample })
}

// writeFields writes a table of rows by their names.
func (k *Kind) writeFields(page *strings.Builder, rows []Attribute) {
	if len(rows) == 0 {
		page.WriteString("It has no fields of its own.\n\n")
		return
	}
	slices.SortFunc(rows, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	page.WriteString("| Field | Type | Default | Meaning |\n|---|---|---|---|\n")
	for _, a := range rows {
		byDefault := "`" + a.defaultText() + "`"
		switch {
		case slices.Contains(k.Secrets, a.Name):
			byDefault = "a secret: eNMS never returns it"
		case a.Type == One:
			byDefault = "none"
		}
		fmt.Fprintf(page, "| `%s` | %s | %s | %s |\n", a.Name, a.typeText(), byDefault, strings.ReplaceAll(a.furtherDoc(), "|", "\\|"))
	}
	page.WriteString("\n")
}

// typeText returns the type in words, without an article.
func (a Attribute) typeText() string {
	switch {
	case a.isRelation():
		return strings.TrimPrefix(valueTypes[a.Type].name, "a ") + fmt.Sprintf(" (`%s`)", a.Of)
	default:
		return strings.TrimPrefix(strings.TrimPrefix(valueTypes[a.Type].name, "an "), "a ")
	}
}

// defaultText returns the default as a configuration would have it.
func (a Attribute) defaultText() string {
	document, err := json.Marshal(a.defaultJSON())
	if err != nil {
		panic("kind: the default of " + a.Name + " is no JSON value: " + err.Error())
	}
	return string(document)
}

// furtherDoc returns what a further field means, with its choices.
func (a Attribute) furtherDoc() string {
	return strings.TrimSuffix(a.Doc+" "+a.choices(), " ")
}
