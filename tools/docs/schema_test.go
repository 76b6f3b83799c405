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
  "list_resource_schemas": {"enms_device": {"block": {"description": "The provider itself tells of it, too."}}},
  "data_source_schemas": {"enms_device": {"block": {"description": "It is documented.", "attributes": {"name": {"description": "It is documented."}}}}},
  "ephemeral_resource_schemas": {"enms_secret": {"block": {"description": "It is documented.", "attributes": {"text": {}}}}},
  "functions": {
    "a": {"summary": "Documented", "parameters": [{"name": "x", "description": "It is documented."}, {"name": "y"}]},
    "b": {"summary": "Documented", "description": "It is documented.", "variadic_parameter": {"name": "z"}}}
}}}`

// newer is what the provider itself tells.
const newer = `{
  "action_schemas": {"enms_run": {"block": {"description": "It is documented.", "attributes": {"wait": {}}}}},
  "list_resource_schemas": {"enms_device": {"block": {}}},
  "resource_identity_schemas": {"enms_device": {"version": 0}}}`

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
	s, err := parseSchema([]byte(schema), []byte(newer))
	if err != nil {
		t.Fatal(err)
	}
	got := errors.Join(s.check(root)...).Error()
	want := strings.Join([]string{
		"the provider block, username has no description",
		"resource enms_device has no description",
		"resource enms_device, rules, inner has no description",
		"resource enms_device, timeouts, create has no description",
		"ephemeral resource enms_secret, text has no description",
		"function a has no summary or no description",
		"function a, y has no description",
		"function b, z has no description",
		"action enms_run, wait has no description",
		"list resource enms_device has no description",
		"the example examples/resources/enms_device/resource.tf is missing or empty",
		"the example examples/resources/enms_device/import-by-string-id.tf is missing or empty",
		"the example examples/resources/enms_device/import-by-identity.tf is missing or empty",
		"the example examples/resources/enms_pools_update/resource.tf is missing or empty",
		"the example examples/data-sources/enms_device/data-source.tf is missing or empty",
		"the example examples/ephemeral-resources/enms_secret/ephemeral-resource.tf is missing or empty",
		"the example examples/functions/a/function.tf is missing or empty",
		"the example examples/functions/b/function.tf is missing or empty",
		"the example examples/actions/enms_run/action.tf is missing or empty",
		"the example examples/list-resources/enms_device/list-resource.tfquery.hcl is missing or empty",
	}, "\n")
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestParseSchema(t *testing.T) {
	t.Parallel()
	s, err := parseSchema([]byte(schema), []byte(newer))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Schemas map[string]map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal(s.file, &file); err != nil || len(file.Schemas) != 1 || file.Schemas["enms"] == nil {
		t.Errorf("the file for tfplugindocs does not hold the provider under its bare name: %v %s", err, s.file)
	}
	for _, part := range []string{"provider", "resource_schemas", "action_schemas", "list_resource_schemas"} {
		if file.Schemas["enms"][part] == nil {
			t.Errorf("it does not hold %s: %s", part, s.file)
		}
	}
	if strings.Contains(string(s.file), "tells of it, too") {
		t.Error("what Terraform tells of list resources is not what the provider tells")
	}
	for _, bad := range []string{"", "[]", `{"provider_schemas": {"registry.example.com/some/other": {}}}`} {
		if _, err := parseSchema([]byte(bad), []byte(newer)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
	if _, err := parseSchema([]byte(schema), nil); err == nil {
		t.Error("no error when the provider tells nothing")
	}
}
