// This file writes the files of an export that are not about objects: versions and variables.

package export

import (
	"strings"
)

// versions returns the file with the versions of Terraform and the provider. secrets says whether there are
// write-only attributes, and imports whether resources with for_each are imported.
func versions(version string, secrets, imports bool) *configuration {
	c := newConfiguration()
	needs := ">= 1.5"
	if secrets {
		needs = ">= 1.11"
	}
	if imports {
		needs += ", != 1.16.0"
		c.comment("Terraform 1.16.0 reads only the first import block of a resource with for_each\n(https://github.com/hashicorp/terraform/issues/39068).")
	}
	terraform := c.add("terraform", nil, []attribute{{"required_version", needs}})
	terraform.AppendNewline()
	provider := []member{{"source", "terraform-provider-enms/enms"}}
	if strings.Count(version, ".") == 2 {
		provider = append(provider, member{"version", ">= " + version})
	}
	set(terraform.AppendNewBlock("required_providers", nil).Body(), []attribute{{"enms", provider}}, 2*step)
	return &c
}

// variables returns the file with the variables of secrets.
func variables(secrets []secret) *configuration {
	c := newConfiguration()
	c.block("variable", []string{versionsVariable}, []attribute{
		{"type", source("map(number)")}, {"default", []member{}},
		{"description", "The secrets to send, by the names of their variables: { " + secrets[0].Variable + " = 1 } sends that one once, and another number sends it again."},
	})
	for _, s := range secrets {
		c.block("variable", []string{s.Variable}, []attribute{
			{"type", source("string")}, {"default", nil}, {"ephemeral", true},
			{"description", s.description()},
		})
	}
	return &c
}
