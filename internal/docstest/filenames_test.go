// Tests of the names of files and tests in CONTRIBUTING.md and in package comments.

package docstest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// A package comment with a list of files names each of them, and every package with many files has such a
// list. Package kinds has a file for each type.
func TestPackageComments_listAllFiles(t *testing.T) {
	t.Parallel()
	const many = 9
	comments, names := map[string]string{}, map[string][]string{}
	for file, text := range textsOf(t, "internal/*/*.go", "internal/*/*/*.go") {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		dir := filepath.Dir(file)
		names[dir] = append(names[dir], filepath.Base(file))
		if found := packageComment.FindString(strings.ReplaceAll(text, "\r\n", "\n")); strings.HasPrefix(found, "// Package ") {
			comments[dir] += found
		}
	}
	for dir, all := range names {
		isList := regexp.MustCompile(`(?m)^//\t[a-z0-9]+\.go`).MatchString(comments[dir])
		for _, name := range all {
			if (isList || len(all) >= many && filepath.Base(dir) != "kinds") && name != "doc.go" && !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(comments[dir]) {
				t.Errorf("the package comment of %s does not name %s", dir, name)
			}
		}
	}
}

var (
	// packageComment is the comment of a package, and what follows it.
	packageComment = regexp.MustCompile(`(?m)^(?://.*\n)+package `)
	testName       = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// testsIn returns the names of the tests in files of the repository.
func testsIn(t *testing.T, patterns ...string) (names []string) {
	t.Helper()
	for _, text := range textsOf(t, patterns...) {
		for _, found := range testName.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

// Package comments and CONTRIBUTING.md name files and tests that exist.
func TestContributing_namedFilesAndTestsExist(t *testing.T) {
	t.Parallel()
	exists := func(name ...string) bool {
		found, err := filepath.Glob(filepath.Join(append([]string{acctest.Repository}, name...)...))
		return err == nil && len(found) > 0
	}
	for comment, text := range textsOf(t, "internal/*/doc.go", "internal/*/*/doc.go") {
		dir := strings.TrimPrefix(filepath.Dir(comment), acctest.Repository)
		for _, name := range regexp.MustCompile(`[a-z0-9_/]+\.go\b`).FindAllString(text, -1) {
			if !exists(dir, name) && !exists(dir, "..", name) && !exists("internal", name) {
				t.Errorf("%s names %s, which does not exist", comment, name)
			}
		}
	}

	text := readFile(t, filepath.Join(acctest.Repository, "CONTRIBUTING.md"))
	for _, name := range regexp.MustCompile("`((?:internal|tools|templates|examples)/[a-z0-9_./*-]+)`").FindAllStringSubmatch(text, -1) {
		if !exists(name[1]) {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", name[1])
		}
	}
	tests := testsIn(t, "internal/*/*_test.go", "internal/*/*/*_test.go")
	for _, name := range regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(strings.ReplaceAll(text, "|", "` `"), -1) {
		if !slices.Contains(tests, name[1]) {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", name[1])
		}
	}
}
