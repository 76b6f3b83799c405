// Command service-types writes the page of the documentation about the types of
// services and their fields, as the tables have them.
package main

import (
	"fmt"
	"os"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// introduction is what the page says before the tables.
const introduction = `---
page_title: "Service types"
subcategory: "Automation"
description: |-
  The types of services that eNMS has, and the fields of each.
---

# Service types

These are the values of ` + "`type`" + ` of [` + "`enms_service`" + `](../resources/service.md) that eNMS 4.7 ships, and the fields of each, which are written in ` + "`properties`" + `:

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

The plan checks them: a value of another type, or one that is none of the choices, is an error, unless eNMS holds it already; then it is a warning. eNMS itself checks nothing, and turns numbers into texts, texts of numbers into numbers, and ` + "`\"true\"`, `\"false\"`, `0` and `1`" + ` into true or false; so does the plan. Where eNMS's default is none of the choices, it stands for nothing chosen yet.

A field that is not here may be a custom property of your eNMS: the plan warns of it once, and names the field that it resembles. A type that is not here may be your own: of its fields, only those of every service are checked. An import leaves fields out that hold eNMS's default.

`

func main() {
	for _, k := range kinds.All() {
		if k.Name == "service" {
			fmt.Print(page(k))
			return
		}
	}
	fmt.Fprintln(os.Stderr, "service-types: there is no kind service")
	os.Exit(1)
}

func page(k *kind.Kind) string { return introduction + k.FurtherMarkdown() }
