// This file reads the pages of the documentation, for the tests that hold them against
// the tree: their links, their configurations, and the messages that they explain.

package docstest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// page is a Markdown file of the repository.
type page struct {
	path   string   // from the root of the repository, with slashes
	lines  []string // without what fences hold
	fences []fence
}

// fence is a block of code in a page.
type fence struct {
	language string
	line     int // of its first line of code
	code     string
}

// marker opens a fence: its indentation, its backquotes, its language.
var marker = regexp.MustCompile("^( *)(`{3,})([a-z]*)")

// pages returns the Markdown files of the repository, but for those of directories that begin
// with a dot.
func pages(t *testing.T) []page {
	t.Helper()
	var all []page
	err := filepath.WalkDir(acctest.Repository, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && file != acctest.Repository:
			return fs.SkipDir
		case !entry.IsDir() && filepath.Ext(file) == ".md":
			all = append(all, readPage(t, file))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d pages are found", len(all))
	}
	return all
}

// readPage splits a file into its text and its fences.
func readPage(t *testing.T, file string) page {
	t.Helper()
	content := readFile(t, file)
	name, err := filepath.Rel(acctest.Repository, file)
	if err != nil {
		t.Fatal(err)
	}
	p := page{path: filepath.ToSlash(name)}
	var open []string // the marker of the fence that the line is in
	for i, line := range strings.Split(strings.ReplaceAll(content, "\r\n", "\n"), "\n") {
		found := marker.FindStringSubmatch(line)
		switch {
		case open == nil && found == nil:
			p.lines = append(p.lines, line)
			continue
		case open == nil:
			open = found
			p.fences = append(p.fences, fence{language: found[3], line: i + 2})
		case strings.TrimSpace(line) == open[2]:
			open = nil
		default:
			last := &p.fences[len(p.fences)-1]
			last.code += strings.TrimPrefix(line, open[1]) + "\n"
		}
		p.lines = append(p.lines, "")
	}
	if open != nil {
		t.Errorf("%s:%d: the block of code does not end", p.path, p.fences[len(p.fences)-1].line-1)
	}
	return p
}

// The Terraform Registry cuts pages off after 500 KB, and takes 1,000 pages of a version.
func TestPages_limitsOfRegistries(t *testing.T) {
	t.Parallel()
	count := 0
	for _, p := range pages(t) {
		if !strings.HasPrefix(p.path, "docs/") {
			continue
		}
		count++
		if info, err := os.Stat(filepath.Join(acctest.Repository, filepath.FromSlash(p.path))); err != nil || info.Size() > 500_000 {
			t.Errorf("%s is too long, or there is none: %v", p.path, err)
		}
	}
	if count == 0 || count > 1000 {
		t.Errorf("there are %d pages", count)
	}
}

// heading is a line that begins a section.
var heading = regexp.MustCompile(`^#{1,6} +(.*?) *#*$`)

// named is an element that a link may point to.
var named = regexp.MustCompile(`<a (?:id|name)="([^"]+)">`)

// anchors returns what links into the page may point to: its headings as GitHub and the
// Registry call them, and elements with an id.
func (p page) anchors() []string {
	var all []string
	for _, line := range p.lines {
		for _, found := range named.FindAllStringSubmatch(line, -1) {
			all = append(all, found[1])
		}
		found := heading.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		base := anchor(found[1])
		name := base
		for i := 1; slices.Contains(all, name); i++ {
			name = fmt.Sprint(base, "-", i)
		}
		all = append(all, name)
	}
	return all
}

// linked is a link in Markdown.
var linked = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]*)\)`)

// anchor returns what a link calls a heading: its letters and digits in lower case, and a
// hyphen for each space.
func anchor(heading string) string {
	heading = linked.ReplaceAllString(heading, "$1")
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteRune('-')
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}
