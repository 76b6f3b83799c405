// This file makes the page about the types of services and their fields.

package main

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// serviceTypesIntroduction is what the page says before the tables.
const serviceTypesIntroduction = `---
page_title: "Service types"
subcategory: "Automation"
description: |-
  The service types of eNMS, and their fields.
---

# Service types

This page lists the service types of eNMS 4.7, which are the values of ` + "`type`" + ` of [` + "`enms_service`" + `](../resources/service.md). Write the fields of a type in ` + "`properties`" + `:

` + "```terraform" + `
resource "enms_service" "version" {
  name = "Show version"
  type = "netmiko_commands_service"
  properties = {
    driver   = "device"
    commands = "show version"
  }
}
` + "```" + `

The plan checks the fields. A value of the wrong type, or a value that is not one of the choices, is an error; if eNMS already has the value, it is a warning. eNMS itself does not check values. It converts numbers to strings, numeric strings to numbers, and ` + "`\"true\"`, `\"false\"`, `0` and `1`" + ` to Booleans; so does the plan. If eNMS's default is not one of the choices, it means that nothing is chosen.

A field that is not listed may be a custom property of your eNMS: the plan warns about it once, and suggests a similar field. For a type that is not listed, only the fields that all services have are checked. An import omits fields with eNMS's default.

Fields that several types have in the same form are in a section of their own, such as [Connection](#connection). The section of each type says which of them it has.

`

// sharedTitles are the headings of fields that several types share, each by one of these fields. Which fields they
// are, and of which types, follows from the tables.
var sharedTitles = map[string]string{
	"connection_name": "Connection",
	"conn_timeout":    "Netmiko",
	"jump_on_connect": "Netmiko sessions",
	"optional_args":   "NAPALM",
	"timeout_socket":  "Scrapli",
	"replacements":    "Backup",
}

// serviceTypes returns the page.
func serviceTypes() (string, error) {
	for _, k := range kinds.All() {
		if k.Name == "service" {
			fields, err := schemas.PropertiesMarkdown(k, sharedTitles)
			return serviceTypesIntroduction + fields, err
		}
	}
	panic("there is no kind service")
}
