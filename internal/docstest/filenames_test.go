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
	files := map[string][]string{}
	for _, pattern := range []string{"internal/*/*.go", "internal/*/*/*.go"} {
		found, err := filepath.Glob(filepath.Join(acctest.Repository, filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		for _, file := range found {
			if !strings.HasSuffix(file, "_test.go") {
				files[filepath.Dir(file)] = append(files[filepath.Dir(file)], file)
			}
		}
	}
	comment := regexp.MustCompile(`(?m)^((?://.*\n)+)package `)
	for dir, all := range files {
		text := ""
		for _, file := range all {
			source := readFile(t, file)
			if found := comment.FindStringSubmatch(strings.ReplaceAll(source, "\r\n", "\n")); found != nil && strings.HasPrefix(found[1], "// Package ") {
				text += found[1]
			}
		}
		isList := regexp.MustCompile(`(?m)^//\t[a-z0-9]+\.go`).MatchString(text)
		for _, file := range all {
			name := filepath.Base(file)
			if (isList || len(all) >= many && filepath.Base(dir) != "kinds") && name != "doc.go" && !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(text) {
				t.Errorf("the package comment of %s does not name %s", dir, name)
			}
		}
	}
}

// Package comments and CONTRIBUTING.md name files and tests that exist.
func TestContributing_namedFilesAndTestsExist(t *testing.T) {
	t.Parallel()
	exists := func(name string) bool {
		found, err := filepath.Glob(filepath.Join(acctest.Repository, name))
		return err == nil && len(found) > 0
	}

	var comments []string
	for _, dir := range []string{"internal/*", "internal/*/*"} {
		found, err := filepath.Glob(filepath.Join(acctest.Repository, filepath.FromSlash(dir), "doc.go"))
		if err != nil || len(found) == 0 {
			t.Fatalf("no package comments in %s: %v", dir, err)
		}
		comments = append(comments, found...)
	}
	for _, comment := range comments {
		text := readFile(t, comment)
		dir, err := filepath.Rel(acctest.Repository, filepath.Dir(comment))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`[a-z0-9_/]+\.go\b`).FindAllString(text, -1) {
			if !exists(filepath.Join(dir, name)) && !exists(filepath.Join(dir, "..", name)) && !exists(filepath.Join("internal", name)) {
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
	var tests []string
	for _, pattern := range []string{"internal/*/*_test.go", "internal/*/*/*_test.go"} {
		files, err := filepath.Glob(filepath.Join(acctest.Repository, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source := readFile(t, file)
			for _, test := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(source, -1) {
				tests = append(tests, test[1])
			}
		}
	}
	for _, name := range regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(strings.ReplaceAll(text, "|", "` `"), -1) {
		if !slices.Contains(tests, name[1]) {
			t.Errorf("CONTRIBUTING.md names %s, which does not exist", name[1])
		}
	}
}
