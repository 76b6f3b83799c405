// Tests of the links between the pages of this repository. Nothing is asked of the
// network: links to elsewhere are not followed.

package docstest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// codeSpan is code within a line, in which nothing is a link.
var codeSpan = regexp.MustCompile("`[^`]*`")

// onGitHub is a link to a file of this repository that is written with its host, as the
// Registry needs it for what is no page of its own.
var onGitHub = regexp.MustCompile(`^https://(?:github\.com/terraform-provider-enms/terraform-provider-enms/(?:blob|tree)|raw\.githubusercontent\.com/terraform-provider-enms/terraform-provider-enms)/main/`)

// Every link within the repository leads to a file, and to a heading in it. A link to a
// page ends in .md, in docs/, too: GitHub needs the ending, and the Registry ignores it.
func TestPages_linksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	anchors := map[string][]string{}
	for _, p := range all {
		anchors[p.path] = p.anchors()
	}
	count := 0
	for _, p := range all {
		for i, line := range p.lines {
			for _, found := range linked.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, "``"), -1) {
				count++
				if problem := brokenLink(p.path, found[2], anchors); problem != "" {
					t.Errorf("%s:%d: [%s](%s): %s", p.path, i+1, found[1], found[2], problem)
				}
			}
		}
	}
	if count < 200 {
		t.Errorf("only %d links are found", count)
	}
}

// brokenLink says what is wrong with a link on a page; anchors are those of every page.
func brokenLink(from, link string, anchors map[string][]string) string {
	inRepository := onGitHub.MatchString(link)
	switch {
	case link == "":
		return "it leads nowhere"
	case !inRepository && (strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:")):
		return ""
	}
	file, fragment, _ := strings.Cut(onGitHub.ReplaceAllString(link, ""), "#")
	target := path.Clean(file)
	switch {
	case inRepository:
	case file == "":
		target = from
	default:
		target = path.Join(path.Dir(renderedFrom(from)), file)
	}
	if _, err := os.Stat(filepath.Join(acctest.Repository, filepath.FromSlash(target))); err != nil {
		if _, is := anchors[target+".md"]; is {
			return "write " + file + ".md, which GitHub needs"
		}
		return "there is no " + target
	}
	if fragment == "" {
		return ""
	}
	if !slices.Contains(anchors[target], fragment) {
		return "there is no heading #" + fragment + " in " + target
	}
	return ""
}

// renderedFrom is where a page stands when it is read: guides become pages of docs/ as
// they are.
func renderedFrom(page string) string {
	return strings.Replace(page, "templates/guides/", "docs/guides/", 1)
}
