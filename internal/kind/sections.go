// This file divides the attributes of a resource into the sections of its page.

package kind

// Section is a part of the page about a resource.
type Section struct {
	Title      string   `json:"title"`      // empty for what stands first
	Attributes []string `json:"attributes"` // in the order of the table
}

// Sections returns the attributes of the kind's resource by the headings in its table.
func (k *Kind) Sections() []Section {
	sections := []Section{{}}
	for _, a := range k.rows().resource {
		if a.Section != "" && a.Section != sections[len(sections)-1].Title {
			sections = append(sections, Section{Title: a.Section})
		}
		last := &sections[len(sections)-1]
		last.Attributes = append(last.Attributes, a.Name)
	}
	return sections
}
