// This file tests that the check finds what is not documented and which
// examples are missing.

package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// schema is one of a provider with all that can lack a description.
const schema = `{"format_version": "1.0", "provider_schemas": {"registry.example.com/some/enms": {
  "provider": {"block": {"description": "It is documented.", "attributes": {"base_url": {"description": "It is documented."}, "username": {}}}},
  "resource_schemas": {"enms_device": {"block": {"attributes": {
      "name": {"description": "It is documented."},
      "rules": {"description": "It is documented.", "nested_type": {"attributes": {"inner": {}}}}},
    "block_types": {"timeouts": {"block": {"description": "It is documented.", "attributes": {"create": {}}}}}}},
    "enms_pools_update": {"block": {"description": "It is documented."}}},
  "list_resource_schemas": {"enms_device": {"block": {"description": "Only newer versions of Terraform tell of it."}}},
  "data_source_schemas": {"enms_device": {"block": {"description": "It is documented.", "attributes": {"name": {"description": "It is documented."}}}}},
  "functions": {
    "a": {"summary": "Documented", "parameters": [{"name": "x", "description": "It is documented."}, {"name": "y"}]},
    "b": {"summary": "Documented", "description": "It is documented.", "variadic_parameter": {"name": "z"}}}
}}}`

func TestCheck(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for file, content := range map[string]string{
		"provider/provider.tf":              "provider \"enms\" {}\n",
		"resources/enms_device/import.sh":   "terraform import enms_device.dallas DALLAS\n",
		"resources/enms_device/resource.tf": "\n",
	} {
		path := filepath.Join(root, "examples", file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := parseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	got := errors.Join(s.check(root)...).Error()
	want := strings.Join([]string{
		"the provider block, username has no description",
		"resource enms_device has no description",
		"resource enms_device, rules, inner has no description",
		"resource enms_device, timeouts, create has no description",
		"function a has no summary or no description",
		"function a, y has no description",
		"function b, z has no description",
		"the example examples/resources/enms_device/resource.tf is missing or empty",
		"the example examples/resources/enms_device/import-by-string-id.tf is missing or empty",
		"the example examples/resources/enms_pools_update/resource.tf is missing or empty",
		"the example examples/data-sources/enms_device/data-source.tf is missing or empty",
		"the example examples/functions/a/function.tf is missing or empty",
		"the example examples/functions/b/function.tf is missing or empty",
	}, "\n")
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestParseSchema(t *testing.T) {
	t.Parallel()
	s, err := parseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Schemas map[string]map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal(s.file, &file); err != nil || len(file.Schemas) != 1 || file.Schemas["enms"] == nil {
		t.Errorf("the file for tfplugindocs does not hold the provider under its bare name: %v %s", err, s.file)
	}
	if file.Schemas["enms"]["list_resource_schemas"] != nil {
		t.Error("it holds list resources")
	}
	for _, bad := range []string{"", "[]", `{"provider_schemas": {"registry.example.com/some/other": {}}}`} {
		if _, err := parseSchema([]byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

func TestExampleDirs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"a/b/main.tf", "a/b/variables.tf", "a/script.py", "c/main.tf"} {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dirs, err := exampleDirs(root)
	if err != nil || len(dirs) != 2 || dirs[0] != filepath.Join(root, "a", "b") || dirs[1] != filepath.Join(root, "c") {
		t.Errorf("got %v, %v", dirs, err)
	}
}
