// This file writes the files of an export that are not about objects: versions and variables.

package export

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// The versions of Terraform that an export needs.
const (
	forImports = ">= 1.5"
	forYAML    = ">= 1.8"  // functions of providers, which the module calls
	forSecrets = ">= 1.11" // write-only attributes
)

// versions returns the file with the versions of Terraform and the provider. needs is that of Terraform, and imports says
// whether resources with for_each are imported.
func versions(version, needs string, imports bool) *configuration {
	c := newConfiguration()
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

// secretVariables returns the file with the variables of secrets.
func secretVariables(secrets []secret) *configuration {
	c := newConfiguration()
	keys := make([]string, len(secrets))
	for n, s := range secrets {
		keys[n] = exportmerge.Quote(s.Key)
	}
	slices.Sort(keys)
	known := strings.Join(slices.Compact(keys), ", ")
	inputs := []*input{{name: versionsVariable, typ: "map(number)", fallback: []member{},
		description: "The secrets to send, by the keys in " + fileReadme + ": { " + secrets[0].Key + " = 1 } sends that one once, and another number sends it again.",
		refused:     &validation{source("length(setsubtract(keys(var." + versionsVariable + "), [" + known + "])) == 0"), "A key is not one of those in " + fileReadme + "."}}}
	for _, s := range secrets {
		inputs = append(inputs, &input{name: s.Variable, typ: "string", ephemeral: true, description: s.description()})
	}
	variables(&c, inputs)
	return &c
}

// variables writes the variables for the inputs of the root or of a module.
func variables(to *configuration, inputs []*input) {
	for _, i := range inputs {
		attributes := []attribute{{"type", i.typ}}
		if !i.needed {
			attributes = append(attributes, attribute{"default", i.fallback})
		}
		if i.ephemeral {
			attributes = append(attributes, attribute{"ephemeral", true})
		}
		body := to.block("variable", []string{i.name}, append(attributes, attribute{"description", i.description}))
		if i.refused != nil {
			body.AppendNewline()
			set(body.AppendNewBlock("validation", nil).Body(), []attribute{{"condition", i.refused.condition}, {"error_message", i.refused.message}}, 2*step)
		}
	}
}
