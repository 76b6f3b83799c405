// This file is the functions for the names of services, which eNMS makes anew
// at every write (enms-rest.md 1.5).

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
		description: "Gives the name under which eNMS has a service: the name of its workflow in brackets, then its own. " +
			"The workflow is given by its full name, so that in a workflow `W2` inside `W1` a service is called `[[W1] W2] s`. A shared service is called `[Shared] s`: give `Shared` for the workflow. One that stands by itself bears its own name: give `\"\"`, or `null`, which OpenTofu 1.12 cannot give to functions of providers.",
		parameters: []parameter{
			{name: "workflow", description: "The full name of the workflow, as the `name` of its `enms_service` is; `Shared` for a shared service; `null` or `\"\"` for one that stands by itself.", nullable: true},
			{name: "scoped_name", description: "The service's own name."},
		},
		compute: serviceName,
	},
	{
		name:    "scoped_name",
		summary: "A service's own name, without its workflow's",
		description: "Takes the prefix off the full name of a service: `s` is the own name of `[W] s`, of `[[W1] W2] s` and of `[Shared] s`. A name without a prefix is its own. " +
			"The name alone does not tell whether a service that stands by itself has brackets at the beginning of its own name: they are taken for a prefix.",
		parameters: []parameter{
			{name: "name", description: "The full name of the service."},
		},
		compute: scopedName,
	},
}

func serviceName(arguments []string) (string, *function.FuncError) {
	workflow, scoped := arguments[0], arguments[1]
	if scoped == "" {
		return "", wrong(1, errors.New("a service needs a name of its own"))
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
