// This file replaces the Mermaid diagrams of guides and of the first page by pictures: GitHub draws Mermaid, and registries show its code.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// pictures is where a page finds its pictures: registries show pages without the files beside them.
const pictures = "https://raw.githubusercontent.com/terraform-provider-enms/terraform-provider-enms/main/docs/diagrams/"

// mermaid is a block of code in this language.
var mermaid = regexp.MustCompile("(?ms)^```mermaid\n(.*?\n)```\n")

// drawDiagrams writes a picture for each diagram, and removes pictures that no page has.
func drawDiagrams(w *workshop.Workshop) error {
	dir := filepath.Join(w.Root, "docs", "diagrams")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	guides, err := filepath.Glob(filepath.Join(w.Root, "docs", "guides", "*.md"))
	if err != nil {
		return err
	}
	for _, file := range append(guides, filepath.Join(w.Root, "docs", "index.md")) {
		page, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		drawn, svgs, err := withPictures(string(page), strings.TrimSuffix(filepath.Base(file), ".md"))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for name, svg := range svgs {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(svg), 0o644); err != nil {
				return err
			}
		}
		if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// withPictures returns a page with pictures in place of its diagrams, and the pictures by their names.
func withPictures(page, name string) (drawn string, svgs map[string]string, err error) {
	svgs = map[string]string{}
	drawn = mermaid.ReplaceAllStringFunc(page, func(block string) string {
		chart, e := parseFlowchart(mermaid.FindStringSubmatch(block)[1])
		if e != nil {
			err = e
			return block
		}
		file := fmt.Sprintf("%s-%d.svg", name, len(svgs)+1)
		svgs[file] = chart.svg()
		return fmt.Sprintf("![%s](%s)\n", chart.inWords(), pictures+file)
	})
	return drawn, svgs, err
}
