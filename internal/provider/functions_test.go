// Tests of the provider's functions as Terraform calls them. What they compute is tested in package function.

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

// place returns a position as it must be in an output.
func place(x, y int64) knownvalue.Check {
	return knownvalue.ObjectExact(map[string]knownvalue.Check{"x": knownvalue.Int64Exact(x), "y": knownvalue.Int64Exact(y)})
}

// TestFunctions_withTerraform calls functions with each kind of argument. Edges are a map of objects that differ in what does not
// matter, some of it null or unknown before the apply. What depends on an unknown edge or name is unknown in the
// plan. Terraform has functions of providers since 1.8, and OpenTofu since 1.7.
func TestFunctions_withTerraform(t *testing.T) {
	t.Parallel()
	oldest := tfversion.Version1_8_0
	if strings.Contains(os.Getenv("TF_ACC_PROVIDER_HOST"), "opentofu") {
		oldest = tfversion.Version1_7_0
	}
	none := "null"
	if acctest.NewWorkspace(t).OpenTofu() {
		none = `""` // OpenTofu 1.12 cannot give null to functions of providers
	}
	text := knownvalue.StringExact
	known := map[string]knownvalue.Check{
		"layout": knownvalue.MapExact(map[string]knownvalue.Check{
			"[Shared] Start": place(0, 0), "[W] a": place(200, 0), "[W] b": place(460, -60), "[Shared] End": place(660, 60),
		}),
		"of_none":   knownvalue.MapSizeExact(0),
		"diagram":   text("flowchart LR\n  s_a[\"a\"]\n  s_b[\"b\"]\n  s_a -.-> s_b\n"),
		"edited":    knownvalue.StringRegexp(regexp.MustCompile("class s_a changed\n$")),
		"problems":  knownvalue.ListExact([]knownvalue.Check{text(`No edges lead from "[Shared] Start" to "[W] c": it would never run.`)}),
		"differ":    knownvalue.ListExact([]knownvalue.Check{text("  a"), text("+   b")}),
		"date":      text("25/10/2026 02:30:00"),
		"runs":      knownvalue.ListExact([]knownvalue.Check{text("2027-03-27T02:30:00+01:00"), text("2027-03-28T03:30:00+02:00")}),
		"by_itself": text("s"),
	}
	later := map[string]knownvalue.Check{
		"layout_later": knownvalue.MapSizeExact(2), "diagram_later": knownvalue.StringRegexp(regexp.MustCompile("^flowchart")),
		"problems_later": knownvalue.ListSizeExact(3), "name_later": knownvalue.StringRegexp(regexp.MustCompile(`^\[.+\] s$`)),
	}
	step := resource.TestStep{Config: `
		resource "terraform_data" "edge" {}
		locals {
		  edges = {
		    1 = { source = "[Shared] Start", destination = "[W] a", label = null, id = terraform_data.edge.id }
		    2 = { source = "[W] a", destination = "[Shared] End", subtype = "success" }
		    3 = { source = "[W] a", destination = "[W] b", subtype = "failure" }
		    4 = { source = "[W] b", destination = "[W] a", properties = { a = [1, "2"] } }
		  }
		  unknown = [{ source = terraform_data.edge.id, destination = "b" }]
		}
		output "layout" { value = provider::enms::workflow_layout(local.edges) }
		output "of_none" { value = provider::enms::workflow_layout([]) }
		output "layout_later" { value = provider::enms::workflow_layout(local.unknown) }
		output "diagram" { value = provider::enms::workflow_diagram([{ source = "[W] a", destination = "[W] b", subtype = "failure" }]) }
		output "edited" { value = provider::enms::workflow_diagram([{ source = "[W] a", destination = "[W] b" }], [{ source = "[W] a", destination = "[W] b" }], ["[W] a"]) }
		output "diagram_later" { value = provider::enms::workflow_diagram(local.unknown) }
		output "problems" { value = provider::enms::workflow_problems(["[W] a", "[W] b", "[W] c"], local.edges) }
		output "problems_later" { value = provider::enms::workflow_problems([], local.unknown) }
		output "differ" { value = provider::enms::config_diff("a\n b\n", "a\nc\n", ["^c$"]) }
		output "date" { value = provider::enms::start_date("2026-10-25T01:30:00Z", "Europe/Berlin") }
		output "runs" { value = provider::enms::next_runs("30 2 * * *", "2027-03-27T00:00:00Z", 2, "Europe/Berlin") }
		output "by_itself" { value = provider::enms::service_name(` + none + `, "s") }
		output "name_later" { value = provider::enms::service_name(terraform_data.edge.id, "s") }`}
	for output, value := range known {
		step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectKnownOutputValue(output, value))
		step.ConfigStateChecks = append(step.ConfigStateChecks, statecheck.ExpectKnownOutputValue(output, value))
	}
	for output, value := range later {
		step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply, plancheck.ExpectUnknownOutputValue(output))
		step.ConfigStateChecks = append(step.ConfigStateChecks, statecheck.ExpectKnownOutputValue(output, value))
	}
	resource.UnitTest(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(oldest)},
		ProtoV6ProviderFactories: acctest.Factories,
		Steps:                    []resource.TestStep{{Config: `output "bad" { value = provider::enms::workflow_layout("a") }`, ExpectError: regexp.MustCompile(`(?s)"edges".*must be a list or a map of\s+objects`)}, step},
	})
}
