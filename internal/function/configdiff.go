// This file implements the functions config_diff and config_lines.

package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/deviceconfig"
)

// expressions returns a parameter of regular expressions of lines.
func expressions(name, description string) function.Parameter {
	return function.ListParameter{Name: name, ElementType: types.StringType, MarkdownDescription: description,
		Validators: []function.ListParameterValidator{listvalidator.NoNullValues()}}
}

// ignoreParameter is the parameter for lines to leave out.
var ignoreParameter = expressions("ignore", "Regular expressions in [RE2 syntax](https://github.com/google/re2/wiki/Syntax) of lines to leave out with all that belongs to them, such as `^ntp clock-period` or `^end$`. They are matched against lines without their indentation.")

func configDiffDefinition() function.Definition {
	return function.Definition{
		Summary: "The lines in which two configurations of a device differ",
		MarkdownDescription: "Compares the configuration that a device should have with the one that it has, and returns the lines that differ, below the lines to which they belong: a line that is missing on the device begins with `+`, one that should not be there with `-`, and one that only shows the context with two spaces. The list is empty if nothing differs; `join(\"\\n\", ...)` makes one string of it.\n\n" +
			"A line belongs to the line above it with a smaller indentation. Lines may stand in any order, so that a different order of entries without numbers, in an access list for example, is not a difference. Empty lines, spaces at the end and lines that begin with `!` are left out. A text such as a banner is compared line by line.\n\n" +
			"The data source `enms_device_configuration` returns a sensitive text, so the differences are sensitive, too. Terraform does not show a sensitive error message: use `nonsensitive`, and `ignore` for the lines with secrets. The module [golden-config](https://github.com/terraform-provider-enms/terraform-provider-enms/tree/main/examples/modules/golden-config) compares many devices: see [Golden configuration](../guides/golden-configuration.md).",
		Parameters: []function.Parameter{
			parameter{name: "intended", description: "The configuration that the device should have."}.terraform(),
			parameter{name: "running", description: "The configuration that it has."}.terraform(),
			ignoreParameter,
		},
		Return: function.ListReturn{ElementType: types.StringType},
	}
}

func runConfigDiff(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var intended, running string
	var ignored []string
	if resp.Error = req.Arguments.Get(ctx, &intended, &running, &ignored); resp.Error != nil {
		return
	}
	ignore, err := deviceconfig.Compile(ignored)
	if err != nil {
		resp.Error = wrong(2, err)
		return
	}
	resp.Error = resp.Result.Set(ctx, deviceconfig.Differences(intended, running, ignore))
}

func configLinesDefinition() function.Definition {
	return function.Definition{
		Summary: "Selected lines of the configuration of a device",
		MarkdownDescription: "Returns the lines of a configuration that match `only`, with what belongs to them, and the lines to which they belong. The data source `enms_device_configuration` selects lines in the same way before it stores a text: use this function to try expressions on a sample, or to take the lines of one feature from a text.\n\n" +
			"A line belongs to the line above it with a smaller indentation. Empty lines and lines that begin with `!` are left out.",
		Parameters: []function.Parameter{
			parameter{name: "config", description: "The configuration."}.terraform(),
			expressions("only", "Regular expressions in [RE2 syntax](https://github.com/google/re2/wiki/Syntax) of the lines to select, such as `^ntp ` or `^interface Loopback`. They are matched against lines without their indentation. An empty list selects nothing, and `[\"\"]` selects all lines."),
			ignoreParameter,
		},
		Return: function.StringReturn{},
	}
}

func runConfigLines(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var config string
	var lists [2][]string
	if resp.Error = req.Arguments.Get(ctx, &config, &lists[0], &lists[1]); resp.Error != nil {
		return
	}
	var patterns [2]deviceconfig.Patterns
	for i, list := range lists {
		var err error
		if patterns[i], err = deviceconfig.Compile(list); err != nil {
			resp.Error = wrong(int64(i)+1, err)
			return
		}
	}
	resp.Error = resp.Result.Set(ctx, deviceconfig.Select(config, patterns[0], patterns[1]))
}
