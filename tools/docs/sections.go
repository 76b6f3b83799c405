// This file sorts the optional attributes on the pages about resources and the provider as
// the provider's tables do, under their headings: tfplugindocs sorts them by the alphabet.

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

// removal is what is true of all attributes of a resource.
const removal = "An attribute that is removed from the configuration is reset to its default: the one given here, or an empty value. An attribute that was never in the configuration keeps the value that eNMS has. Exceptions are noted in the description.\n\n"

// precedence is what is true of all settings of the provider.
const precedence = "Each setting except `defaults` can also be given in an environment variable; the configuration takes precedence. `base_url`, `username` and `password` are required in one or the other.\n\n"

// section is a part of a page, as internal/provider/cmd/docs writes it.
type section struct {
	Title      string   `json:"title"`
	Attributes []string `json:"attributes"`
}

// divide sorts the attributes on the pages of all resources and of the provider.
func divide(ctx context.Context, w *workshop.Workshop) error {
	written, err := own(ctx, w, "sections")
	if err != nil {
		return err
	}
	var resources map[string][]section
	if err := json.Unmarshal(written, &resources); err != nil {
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
		divided, err := dividedPage(string(page), intro, sections)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(file, []byte(divided), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// optional matches the part of a page about optional attributes: the text before the list,
// and the list.
var optional = regexp.MustCompile(`(?s)(\n### Optional\n\n)(.*?)((?:- \x60[^\n]*\n)+)`)

// dividedPage returns the page with its optional attributes sorted, after the intro, and
// under headings if there are many.
func dividedPage(page, intro string, sections []section) (string, error) {
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
	return page[:at[3]] + intro + page[at[4]:at[5]] + strings.TrimPrefix(list.String(), "\n") + page[at[7]:], nil
}
