// This file sorts the optional attributes of a page as the provider's tables do, and adds the
// headings: tfplugindocs sorts them by the alphabet.

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

// minForHeadings is how many optional attributes a page with headings has at least.
const minForHeadings = 10

// removal is the text before the optional attributes of a resource.
const removal = "An attribute that is removed from the configuration is reset to its default: the one given here, or an empty value. An attribute that was never in the configuration keeps the value that eNMS has. Exceptions are noted in the description.\n\n"

// precedence is the text before the settings of the provider.
const precedence = "Each setting except `defaults` can also be given in an environment variable; the configuration takes precedence. `base_url`, `username` and `password` are required in one or the other.\n\n"

// section is a part of a page, in the output of the provider's command sections.
type section struct {
	Title      string   `json:"title"`
	Attributes []string `json:"attributes"`
}

// sortAttributes sorts the attributes on the pages of all resources and of the provider.
func sortAttributes(ctx context.Context, w *workshop.Workshop) error {
	output, err := runCommand(ctx, w, "./internal/provider/cmd/sections")
	if err != nil {
		return err
	}
	var resources map[string][]section
	if err := json.Unmarshal(output, &resources); err != nil {
		return fmt.Errorf("reading the sections: %w", err)
	}
	for name, sections := range resources {
		file, intro := filepath.Join(w.Root, "docs", "resources", strings.TrimPrefix(name, provider+"_")+".md"), removal
		if name == "provider" {
			file, intro = filepath.Join(w.Root, "docs", "index.md"), precedence
		}
		page, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sorted, err := sortedPage(string(page), intro, sections)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(file, []byte(sorted), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// optional matches the part of a page about optional attributes. Its groups are the heading, the
// text before the list, and the list.
var optional = regexp.MustCompile(`(?s)(\n### Optional\n\n)(.*?)((?:- \x60[^\n]*\n)+)`)

// sortedPage returns a page with its optional attributes sorted, after the intro.
func sortedPage(page, intro string, sections []section) (string, error) {
	match := optional.FindStringSubmatchIndex(page)
	if match == nil {
		return "", fmt.Errorf("it has no optional attributes")
	}
	headingEnd, listStart, listEnd := match[3], match[6], match[7]
	lines := map[string]string{}
	for line := range strings.Lines(page[listStart:listEnd]) {
		lines[strings.Split(line, "`")[1]] = line
	}
	hasHeadings := len(lines) >= minForHeadings
	var list strings.Builder
	for _, s := range sections {
		var rows strings.Builder
		for _, name := range s.Attributes {
			rows.WriteString(lines[name])
			delete(lines, name)
		}
		if rows.Len() > 0 && hasHeadings && s.Title != "" {
			fmt.Fprintf(&list, "\n#### %s\n\n", s.Title)
		}
		list.WriteString(rows.String())
	}
	if len(lines) > 0 {
		return "", fmt.Errorf("%v stand in no section", lines)
	}
	return page[:headingEnd] + intro + page[headingEnd:listStart] + strings.TrimPrefix(list.String(), "\n") + page[listEnd:], nil
}
