// Tests of what the command writes by itself.

package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// The mock data has every kind, and what the provider sends at a creation in place of eNMS's default.
func TestMocks(t *testing.T) {
	t.Parallel()
	text := mocks()
	for _, k := range kinds.All() {
		if !strings.Contains(text, "mock_resource \""+k.TypeName()+"\"") {
			t.Errorf("there is no mock data for %s", k.TypeName())
		}
	}
	if !strings.Contains(text, "skip_value            = \"success\"") {
		t.Error("the value that the provider sends at creation is not the default")
	}
}

// Shared fields without a title, and a title without shared fields, are errors.
func TestServiceTypes_titles(t *testing.T) {
	t.Parallel()
	for _, k := range kinds.All() {
		if k.Name != "service" {
			continue
		}
		for _, titles := range []map[string]string{{}, {"no_such_field": "Title"}} {
			if _, err := schemas.PropertiesMarkdown(k, titles); err == nil || !strings.Contains(err.Error(), "title") {
				t.Errorf("titles %v: %v", titles, err)
			}
		}
		more := maps.Clone(sharedTitles)
		more["no_such_field"] = "Title"
		if _, err := schemas.PropertiesMarkdown(k, more); err == nil || !strings.Contains(err.Error(), "titles") {
			t.Errorf("one title too many: %v", err)
		}
	}
}
