// Acceptance tests of the provider's functions, which need no server.

package provider_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// calls plays steps that call functions: Terraform has them since 1.8,
// OpenTofu since 1.7, which counts its versions alike.
func calls(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	oldest := tfversion.Version1_8_0
	if strings.Contains(os.Getenv("TF_ACC_PROVIDER_HOST"), "opentofu") {
		oldest = tfversion.Version1_7_0
	}
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(oldest)},
		ProtoV6ProviderFactories: acctest.Factories,
		Steps:                    steps,
	})
}

// place returns a position as it must be in an output.
func place(x, y int64) knownvalue.Check {
	return knownvalue.ObjectExact(map[string]knownvalue.Check{"x": knownvalue.Int64Exact(x), "y": knownvalue.Int64Exact(y)})
}

// edges are given as a map of objects that differ in what does not count: some
// of it is null, some unknown before the apply.
const edges = `
resource "terraform_data" "edge" {}

locals {
  edges = {
    1 = { source = "[Shared] Start", destination = "[W] a", label = null, id = terraform_data.edge.id }
    2 = { source = "[W] a", destination = "[Shared] End", subtype = "success" }
    3 = { source = "[W] a", destination = "[W] b", subtype = "failure" }
    4 = { source = "[W] b", destination = "[W] a", properties = { a = [1, "2"] } }
  }
}
`

func TestFunctions_layout(t *testing.T) {
	t.Parallel()
	want := knownvalue.MapExact(map[string]knownvalue.Check{
		"[Shared] Start": place(0, 0), "[W] a": place(200, 0), "[W] b": place(460, -60), "[Shared] End": place(660, 60),
	})
	calls(t,
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_layout([{ source = "a" }]) }`,
			ExpectError: regexp.MustCompile(`(?s)"edges".*Edge 0 has no\s+destination`),
		},
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_layout("a") }`,
			ExpectError: regexp.MustCompile(`(?s)"edges".*must be a list or a map of\s+objects`),
		},
		resource.TestStep{
			Config: edges + `
				output "map" { value = provider::enms::workflow_layout(local.edges) }
				output "list" { value = provider::enms::workflow_layout(reverse(values(local.edges))) }
				output "texts" { value = provider::enms::workflow_layout([for e in local.edges : { source = e.source, destination = e.destination }]) }
				output "none" { value = provider::enms::workflow_layout([]) }
				output "later" { value = provider::enms::workflow_layout([{ source = terraform_data.edge.id, destination = "b" }]) }`,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownOutputValue("map", want),
				plancheck.ExpectUnknownOutputValue("later"),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("map", want),
				statecheck.ExpectKnownOutputValue("list", want),
				statecheck.ExpectKnownOutputValue("texts", want),
				statecheck.ExpectKnownOutputValue("none", knownvalue.MapSizeExact(0)),
				statecheck.ExpectKnownOutputValue("later", knownvalue.MapSizeExact(2)),
			},
		},
	)
}

func TestFunctions_diagram(t *testing.T) {
	t.Parallel()
	calls(t,
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_diagram([{ source = "a", destination = "b", subtype = [] }]) }`,
			ExpectError: regexp.MustCompile(`(?s)"edges".*Edge 0 must have a text as its\s+subtype`),
		},
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_diagram([], [], [null]) }`,
			ExpectError: regexp.MustCompile(`(?s)"earlier".*Service 0 must be a name, not\s+null`),
		},
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_diagram([], "x") }`,
			ExpectError: regexp.MustCompile(`(?s)"earlier".*The edges must be a list`),
		},
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_diagram([], [], [], []) }`,
			ExpectError: regexp.MustCompile(`at most three\s+arguments`),
		},
		resource.TestStep{
			Config: edges + `
				output "some" { value = provider::enms::workflow_diagram([{ source = "[W] a", destination = "[W] b", subtype = "failure" }]) }
				output "changed" { value = provider::enms::workflow_diagram([{ source = "[W] a", destination = "[W] b" }], [], ["[W] a"]) }
				output "edited" { value = provider::enms::workflow_diagram([{ source = "[W] a", destination = "[W] b" }], [{ source = "[W] a", destination = "[W] b" }], ["[W] a"]) }
				output "map" { value = provider::enms::workflow_diagram(local.edges) == provider::enms::workflow_diagram(reverse(values(local.edges))) }
				output "later" { value = provider::enms::workflow_diagram([{ source = terraform_data.edge.id, destination = "b" }]) }`,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue("later")}},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("some", knownvalue.StringExact("flowchart LR\n  s_a[\"a\"]\n  s_b[\"b\"]\n  s_a -.-> s_b\n")),
				statecheck.ExpectKnownOutputValue("changed", knownvalue.StringRegexp(regexp.MustCompile("class s_a,s_b added\n {2}linkStyle 0 stroke:#1a7f37\n$"))),
				statecheck.ExpectKnownOutputValue("edited", knownvalue.StringRegexp(regexp.MustCompile("class s_a changed\n$"))),
				statecheck.ExpectKnownOutputValue("map", knownvalue.Bool(true)),
			},
		},
	)
}

func TestFunctions_configDiff(t *testing.T) {
	t.Parallel()
	calls(t,
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::config_diff("", "", ["^a", "("]) }`,
			ExpectError: regexp.MustCompile(`(?s)"ignore".*is not a regular expression`),
		},
		resource.TestStep{
			Config: `
				output "none" { value = provider::enms::config_diff("a\n b\n", "! c\na\n  b\r\n", []) }
				output "some" { value = provider::enms::config_diff("a\n b\n", "a\nc\n", ["^c$"]) }`,
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("none", knownvalue.ListSizeExact(0)),
				statecheck.ExpectKnownOutputValue("some", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("  a"), knownvalue.StringExact("+   b")})),
			},
		},
	)
}

func TestFunctions_errors(t *testing.T) {
	t.Parallel()
	calls(t,
		resource.TestStep{
			Config:      `output "bad" { value = provider::enms::workflow_problems([], [null]) }`,
			ExpectError: regexp.MustCompile(`(?s)"edges".*Edge 0 must be an object`),
		},
		resource.TestStep{
			Config: edges + `
				output "none" { value = provider::enms::workflow_problems(["[W] a", "[W] b"], local.edges) }
				output "some" { value = provider::enms::workflow_problems(["[W] a", "[W] b", "[W] c"], local.edges) }
				output "later" { value = provider::enms::workflow_problems([], [{ source = terraform_data.edge.id, destination = "b" }]) }`,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownOutputValue("none", knownvalue.ListSizeExact(0)),
				plancheck.ExpectUnknownOutputValue("later"),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("none", knownvalue.ListSizeExact(0)),
				statecheck.ExpectKnownOutputValue("some", knownvalue.ListExact([]knownvalue.Check{
					knownvalue.StringExact(`No edges lead from "[Shared] Start" to "[W] c": it would never run.`),
				})),
				statecheck.ExpectKnownOutputValue("later", knownvalue.ListSizeExact(3)),
			},
		},
	)
}

// Terraform shows which argument is wrong and why, also where a number is no whole
// number.
func TestFunctions_strings(t *testing.T) {
	t.Parallel()
	var steps []resource.TestStep
	for call, message := range map[string]string{
		`start_date("28/03/2027", "UTC")`:                            `(?s)"timestamp".*not\s+an\s+RFC\s+3339\s+timestamp`,
		`timestamp("28/03/2027 02:30:00", "Europe/Berlin")`:          `(?s)"start_date".*does\s+not\s+exist`,
		`timestamp("28/03/2027 03:30:00", "Berlin")`:                 `(?s)"zone".*no\s+such\s+time\s+zone`,
		`crontab("@reboot")`:                                         `(?s)"expression".*by\s+the\s+clock\s+only`,
		`next_runs("0 0 * * *", "2027-01-01T00:00:00Z", 0, "UTC")`:   `(?s)"count".*between\s+1\s+and`,
		`next_runs("0 0 * * *", "2027-01-01T00:00:00Z", 1.5, "UTC")`: `(?s)"count".*1\.5:.*whole\s+number`,
		`service_name("W", "")`:                                      `(?s)"scoped_name".*scoped\s+name\s+is\s+empty`,
		`scoped_name("[W] ")`:                                        `(?s)"name".*nothing\s+after\s+its\s+prefix`,
	} {
		steps = append(steps, resource.TestStep{Config: `output "bad" { value = provider::enms::` + call + ` }`, ExpectError: regexp.MustCompile(message)})
	}
	want := map[string]knownvalue.Check{
		"date":  knownvalue.StringExact("25/10/2026 02:30:00"),
		"stamp": knownvalue.StringExact("2026-10-25T02:30:00+02:00"),
		"cron":  knownvalue.StringExact("30 2 * * 1,2,3,4,5"),
		"runs": knownvalue.ListExact([]knownvalue.Check{
			knownvalue.StringExact("2027-03-27T02:30:00+01:00"), knownvalue.StringExact("2027-03-28T03:30:00+02:00"),
		}),
		"nested": knownvalue.StringExact("[[W1] W2] s"),
		"alone":  knownvalue.StringExact("s"),
		"own":    knownvalue.StringExact("s"),
	}
	none := "null"
	if acctest.NewWorkspace(t).OpenTofu() {
		none = `""` // OpenTofu 1.12 cannot give null to functions of providers
	}
	final := resource.TestStep{
		Config: `
			resource "terraform_data" "name" {}

			output "date" { value = provider::enms::start_date("2026-10-25T01:30:00Z", "Europe/Berlin") }
			output "stamp" { value = provider::enms::timestamp("25/10/2026 02:30:00", "Europe/Berlin") }
			output "cron" { value = provider::enms::crontab("30 2 * * mon-fri") }
			output "runs" { value = provider::enms::next_runs("30 2 * * *", "2027-03-27T00:00:00Z", 2, "Europe/Berlin") }
			output "nested" { value = provider::enms::service_name("[W1] W2", "s") }
			output "alone" { value = provider::enms::service_name(` + none + `, "s") }
			output "own" { value = provider::enms::scoped_name("[[W1] W2] s") }
			output "later" { value = provider::enms::service_name(terraform_data.name.id, "s") }`,
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectUnknownOutputValue("later")}},
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownOutputValue("later", knownvalue.StringRegexp(regexp.MustCompile(`^\[.+\] s$`))),
		},
	}
	for output, value := range want {
		final.ConfigPlanChecks.PreApply = append(final.ConfigPlanChecks.PreApply, plancheck.ExpectKnownOutputValue(output, value))
		final.ConfigStateChecks = append(final.ConfigStateChecks, statecheck.ExpectKnownOutputValue(output, value))
	}
	calls(t, append(steps, final)...)
}
