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

// PropertiesMarkdown describes the properties in Markdown: those of every subtype, those that several subtypes share,
// then the others of each. titles are the headings of what is shared, each by one of its fields. It is an error if
// shared fields have no title, or a title has no shared fields.
func PropertiesMarkdown(k *kind.Kind, titles map[string]string) (string, error) {
	var page strings.Builder
	page.WriteString("## Fields of every " + k.Name + "\n\n")
	writeFields(&page, describe(k, ofSample(k.Properties, false)))
	samples := ofSample(k.Properties, true)
	var names []string
	rows := map[string][]described{}
	for _, table := range k.Subtypes {
		names = append(names, table.Name)
		rows[table.Name] = describe(k, ofSample(table.Fields, false))
		samples = append(samples, ofSample(table.Fields, true)...)
	}
	sets, own := divide(names, rows)
	links := map[string][]string{}
	for _, set := range sets {
		title, err := set.title(titles)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&page, "## %s\n\nThese types have the fields of the table: %s.\n\n", title, inWords(linksTo(set.subtypes)))
		writeFields(&page, set.rows)
		for _, name := range set.subtypes {
			links[name] = append(links[name], linkTo(title))
		}
	}
	if len(sets) != len(titles) {
		return "", fmt.Errorf("there are %d titles of shared fields, and %d sets of shared fields that need one", len(titles), len(sets))
	}
	for _, table := range k.Subtypes {
		fmt.Fprintf(&page, "## `%s`\n\n%s\n\n", table.Name, table.Doc)
		shared := inWords(links[table.Name])
		switch {
		case shared == "" && len(own[table.Name]) == 0:
			page.WriteString("It has no fields of its own.\n\n")
		case shared == "":
			writeFields(&page, own[table.Name])
		case len(own[table.Name]) == 0:
			page.WriteString("Its fields are those of " + shared + ".\n\n")
		default:
			page.WriteString("It has the fields of " + shared + ", and these:\n\n")
			writeFields(&page, own[table.Name])
		}
	}
	page.WriteString("## Custom properties of eNMS's sample configuration\n\n" +
		"Your eNMS has these unless they were removed. They may be declared differently there, so their values are not checked.\n\n")
	writeFields(&page, describe(k, samples))
	return strings.TrimRight(page.String(), "\n") + "\n", nil
}

// title returns the heading of a set.
func (s shared) title(titles map[string]string) (string, error) {
	for _, d := range s.rows {
		if title, is := titles[d.row.Name]; is {
			return title, nil
		}
	}
	return "", fmt.Errorf("the fields that %s share need a title, by one of %s", strings.Join(s.subtypes, ", "), s.rows[0].row.Name)
}

// linkTo returns a link to a heading of letters and spaces.
func linkTo(title string) string {
	return "[" + title + "](#" + strings.ReplaceAll(strings.ToLower(title), " ", "-") + ")"
}

// linksTo returns links to the headings of subtypes.
func linksTo(subtypes []string) (links []string) {
	for _, name := range subtypes {
		links = append(links, "[`"+name+"`](#"+name+")")
	}
	return links
}

// inWords returns a list as in a sentence.
func inWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// ofSample returns the rows of fields of eNMS's sample configuration, or with false all others.
func ofSample(rows []kind.Attribute, sample bool) []kind.Attribute {
	return slices.DeleteFunc(slices.Clone(rows), func(a kind.Attribute) bool { return a.Sample != sample })
}

// describe returns rows with their lines, sorted by name.
func describe(k *kind.Kind, rows []kind.Attribute) (all []described) {
	slices.SortFunc(rows, func(a, b kind.Attribute) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range rows {
		document, _ := json.Marshal(a.DefaultJSON()) // it was decoded from JSON
		byDefault := "`" + string(document) + "`"
		switch {
		case slices.Contains(k.Secrets, a.Name):
			byDefault = "a secret: eNMS never returns it"
		case a.Type == kind.One:
			byDefault = "none"
		}
		all = append(all, described{a, fmt.Sprintf("| `%s` | %s | %s | %s |", a.Name, typeText(a), byDefault,
			strings.ReplaceAll(sentences(a.Doc, checks.Choices(a), checks.Lines(a)), "|", "\\|"))})
	}
	return all
}

// writeFields writes a table of rows.
func writeFields(page *strings.Builder, rows []described) {
	page.WriteString("| Field | Type | Default | Meaning |\n|---|---|---|---|\n")
	for _, d := range rows {
		page.WriteString(d.line + "\n")
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
