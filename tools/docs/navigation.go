// This file puts the pages into the groups of the Registry's navigation.

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// The groups of the navigation.
const (
	inventory  = "Inventory"
	automation = "Automation"
	access     = "Access"
	operations = "Operations"
	generic    = "Generic and Bulk"
	ungrouped  = "" // guides that the Registry shows before all groups
)

// groups are the groups of the pages: of the guides by their names, of all others by what
// they are about. A data source that lists instances is in the group of the instances.
var groups = map[string]map[string]string{
	"guides": {
		"getting-started": ungrouped, "installing": ungrouped, "adopting": ungrouped, "export": ungrouped, "promotion": operations, "pull-requests": operations, "testing-modules": operations, "terraform-and-enms": ungrouped, "coming-from-rest-providers": ungrouped, "debugging": ungrouped, "troubleshooting": ungrouped,
		"workflows": automation, "service-types": automation, "schedules": automation, "running-services": automation,
		"rights": access, "secrets": access,
		"deleting-and-renaming": operations, "reorganising": operations, "drift-checks": operations, "golden-configuration": operations, "running-enms": operations, "upgrading-enms": operations, "simulator": operations,
		"thousands-of-instances": generic, "yaml": generic,
	},
	"": {
		"device": inventory, "link": inventory, "network": inventory, "network_layout": inventory, "pool": inventory, "device_configuration": inventory, "config_diff": inventory, "config_lines": inventory, "pools_update": inventory, "update_pools": inventory,
		"service": automation, "workflow_edge": automation, "workflow_layout": automation, "workflow_problems": automation, "workflow_diagram": automation, "service_name": automation, "scoped_name": automation,
		"task": automation, "start_date": automation, "timestamp": automation, "crontab": automation, "next_runs": automation,
		"service_run": automation, "run_service": automation, "run_task": automation, "run_result": automation, "runs": automation, "changelog": automation,
		"user": access, "group": access, "credential": access, "store": access, "secret": access,
		"instance": generic,
		"server":   operations,
	},
}

// subcategory is the line of a page that names its group.
var subcategory = regexp.MustCompile(`(?m)^subcategory: ".*"$`)

// navigate writes the group of each page.
func navigate(w *workshop.Workshop) error {
	pages, err := filepath.Glob(filepath.Join(w.Root, "docs", "*", "*.md"))
	if err != nil {
		return err
	}
	for _, file := range pages {
		group, err := groupOf(filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".md"))
		if err != nil {
			return err
		}
		page, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !subcategory.Match(page) {
			return fmt.Errorf("%s has no line %q", file, `subcategory: ""`)
		}
		page = subcategory.ReplaceAll(page, fmt.Appendf(nil, "subcategory: %q", group))
		if err := os.WriteFile(file, page, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// groupOf returns the group of a page in a directory of docs/.
func groupOf(dir, name string) (string, error) {
	in, is := groups[dir]
	if !is {
		in = groups[""]
	}
	for _, key := range []string{name, strings.TrimSuffix(name, "s")} {
		if group, is := in[key]; is {
			return group, nil
		}
	}
	return "", fmt.Errorf("docs/%s/%s.md is in no group of the navigation: add it in tools/docs/navigation.go", dir, name)
}
