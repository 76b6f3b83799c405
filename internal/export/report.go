// This file writes report.json: what an export contains, what it leaves out, and why.

package export

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// report is the content of report.json. It contains no secrets, and remains the same while the
// server does not change.
type report struct {
	Provider string         `json:"provider"`
	Admin    bool           `json:"administrator"` // the user is one: nothing is hidden from it
	Objects  map[string]int `json:"objects"`       // by their types
	Lines    int            `json:"-"`             // of configuration, with people's comments
	Names    nameCounts     `json:"names"`
	LeftOut  []finding      `json:"left_out"`        // objects
	Omitted  []finding      `json:"values_left_out"` // of objects that are exported
	Kept     []finding      `json:"kept"`            // what another server must have or get, such as types and files
	Circles  []circle       `json:"circles"`
	Expected []finding      `json:"expected_on_the_server"` // names of objects that are not exported
	Secrets  []secret       `json:"secrets"`
	Check    []finding      `json:"to_be_checked"`
	Modules  []moduleReport `json:"modules,omitempty"`

	Unclear    []finding `json:"not_identified,omitempty"` // objects of which nothing tells what became of them
	NotUpdated []finding `json:"not_updated,omitempty"`    // about code that exists
	Ahead      []finding `json:"code_is_ahead,omitempty"`  // where the code differs from the server, and the server has not changed

	types []string // the site's own types, which another server must have
}

// finding is a remark about an object or an address.
type finding = exportmerge.Finding

// nameCounts count the names of objects in attributes.
type nameCounts struct {
	References  int `json:"references"`
	InTables    int `json:"in_tables"` // cells of CSV files, and the names of their rows
	BuiltIn     int `json:"built_in"`
	InCircles   int `json:"in_circles"`
	NotExported int `json:"not_exported"`
	Nowhere     int `json:"nowhere"`
}

// circle is a place where a circle of references is broken. A name is written there instead of a
// reference, or is left out of a list. It may be added to the list once both objects exist.
type circle struct {
	At        string `json:"at"`
	Attribute string `json:"attribute"`
	To        string `json:"to"`
	Name      string `json:"name"`
	LeftOut   bool   `json:"left_out"`
}

// moduleReport lists what the root passes to a module.
type moduleReport struct {
	Label    string   `json:"module"`
	Workflow string   `json:"workflow,omitempty"`
	Needed   []string `json:"variables_without_default"`
	Optional []string `json:"variables_with_default"`
}

// add adds a finding to a list of the report unless it is already there.
func (r *report) add(to *[]finding, at, what string) {
	if !slices.ContainsFunc(*to, func(f finding) bool { return f.At == at && f.What == what }) {
		*to = append(*to, finding{At: at, What: what})
	}
}

// document returns the content of report.json. A list that every report has is [] if it is empty.
func (r *report) document() ([]byte, error) {
	written := *r
	for _, list := range []*[]finding{&written.LeftOut, &written.Omitted, &written.Kept, &written.Expected, &written.Check} {
		if *list == nil {
			*list = []finding{}
		}
	}
	if written.Circles == nil {
		written.Circles = []circle{}
	}
	if written.Secrets == nil {
		written.Secrets = []secret{}
	}
	text, err := exportmerge.Encoded(written, "  ")
	return []byte(text + "\n"), err
}
