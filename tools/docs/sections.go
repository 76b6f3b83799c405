// This file puts the optional attributes on the pages about resources into the order and
// under the headings that the provider's tables have: tfplugindocs knows only the order
// of the alphabet.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// long is how many optional attributes a page has that needs headings.
const long = 10

// removal is what holds for all of them.
const removal = "An attribute that is taken out of the configuration goes back to its default: the one that is named here, or else an empty one. One that was never in the configuration keeps whatever eNMS holds. Where something else holds, the description says so.\n\n"

// section is a part of a page, as the command sections writes it.
type section struct {
	Title      string   `json:"title"`
	Attributes []string `json:"attributes"`
}

// divide puts the attributes on the pages of all resources in order.
func divide(ctx context.Context, w *workshop.Workshop) error {
	written, err := own(ctx, w, "./internal/kinds/cmd/sections")
	if err != nil {
		return err
	}
	var resources map[string][]section
	if err := json.Unmarshal(written, &resources); err != nil {
		return fmt.Errorf("reading the sections: %w", err)
	}
	for name, sections := range resources {
		file := filepath.Join(w.Root, "docs", "resources", strings.TrimPrefix(name, provider+"_")+".md")
		page, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		divided, err := dividedPage(string(page), sections)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(file, []byte(divided), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// optional finds the part of a page about optional attributes: what stands before the
// list, and the list.
var optional = regexp.MustCompile(`(?s)(\n### Optional\n\n)(.*?)((?:- \x60[^\n]*\n)+)`)

// dividedPage is a page with its optional attributes in order, and under headings if
// there are many.
func dividedPage(page string, sections []section) (string, error) {
	at := optional.FindStringSubmatchIndex(page)
	if at == nil {
		return "", fmt.Errorf("it has no optional attributes")
	}
	lines := map[string]string{}
	for line := range strings.Lines(page[at[6]:at[7]]) {
		lines[strings.Split(line, "`")[1]] = line
	}
	headings := len(lines) >= long
	var list strings.Builder
	for _, s := range sections {
		var rows strings.Builder
		for _, name := range s.Attributes {
			rows.WriteString(lines[name])
			delete(lines, name)
		}
		if rows.Len() > 0 && headings && s.Title != "" {
			fmt.Fprintf(&list, "\n#### %s\n\n", s.Title)
		}
		list.WriteString(rows.String())
	}
	if len(lines) > 0 {
		return "", fmt.Errorf("%v stand in no section", lines)
	}
	return page[:at[3]] + removal + page[at[4]:at[5]] + list.String() + page[at[7]:], nil
}
