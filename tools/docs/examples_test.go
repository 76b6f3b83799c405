// This file tests which examples are validated, and by which versions.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
)

func TestConfigurations(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"a/b/main.tf", "a/b/variables.tf", "a/script.py", "actions/x/action.tf", "c/main.tf", "decommission/main.tf",
		"list-resources/x/list-resource.tfquery.hcl", "resources/x/import-by-identity.tf", "resources/x/import-by-string-id.tf", "resources/x/resource.tf"} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	examples, err := configurations(root)
	if err != nil {
		t.Fatal(err)
	}
	old, newest := version.Must(version.NewVersion("1.11.4")), version.Must(version.NewVersion("1.14.0-rc2"))
	var got []string
	for _, e := range examples {
		dir, err := filepath.Rel(root, e.dir)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(fmt.Sprint(filepath.ToSlash(dir), " ", e.without, e.options, " ",
			e.isReadBy("terraform", old), e.isReadBy("terraform", newest), e.isReadBy("tofu", newest))))
	}
	want := []string{
		"a/b [] true true true",
		"actions/x [] false true false",
		"c [] true true true",
		"decommission [] false false false",
		"list-resources/x [-query] false true false",
		"resources/x import-by-string-id.tf[] false true true",
		"resources/x import-by-identity.tf[] true true true",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
