// This file declares the functions for the names of services, which eNMS composes at every write (enms-rest.md
// 1.5).

package function

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

var nameFunctions = []textFunction{
	{
		name:    "service_name",
		summary: "The full name of a service in a workflow",
		description: "Returns the full name of a service in eNMS: the name of its workflow in brackets, then its scoped name. " +
			"Use the full name of the workflow: a service in the workflow `W2` inside `W1` is called `[[W1] W2] s`. For a shared service, which is called `[Shared] s`, use `Shared`. For a service without a workflow, use `\"\"` or `null`; OpenTofu 1.12 cannot pass `null` to functions of providers.",
		parameters: []parameter{
			{name: "workflow", description: "The full name of the workflow, which is the `name` of its `enms_service`; `Shared` for a shared service; `null` or `\"\"` for a service without a workflow.", nullable: true},
			{name: "scoped_name", description: "The service's own name."},
		},
		compute: serviceName,
	},
	{
		name:    "scoped_name",
		summary: "The name of a service without the prefix of its workflow",
		description: "Removes the prefix from the full name of a service: for `[W] s`, `[[W1] W2] s` and `[Shared] s` it returns `s`. A name without a prefix is returned unchanged. " +
			"Brackets at the beginning of a name are always treated as a prefix.",
		parameters: []parameter{
			{name: "name", description: "The full name of the service."},
		},
		compute: scopedName,
	},
}

func serviceName(arguments []string) (string, *function.FuncError) {
	workflow, scoped := arguments[0], arguments[1]
	if scoped == "" {
		return "", wrong(1, errors.New("the scoped name is empty"))
	}
	return servicename.Join(workflow, scoped), nil
}

func scopedName(arguments []string) (string, *function.FuncError) {
	_, scoped := servicename.Split(arguments[0])
	if scoped == "" {
		return "", wrong(0, fmt.Errorf("%q has nothing after its prefix", arguments[0]))
	}
	return scoped, nil
}
