// Diagnostics, and how Terraform prints them.

package terraformtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Problems are the diagnostics of a call.
type Problems []*tfprotov6.Diagnostic

// Problem returns an error of Terraform itself.
func Problem(summary, format string, args ...any) Problems {
	return Problems{{Severity: tfprotov6.DiagnosticSeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...)}}
}

// problemsOf returns what HCL finds wrong.
func problemsOf(diags hcl.Diagnostics) (all Problems) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			all = append(all, Problem(d.Summary, "%s", d.Detail)...)
		}
	}
	return all
}

func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }

// Failed reports whether there is an error.
func (p Problems) Failed() bool { return slices.ContainsFunc(p, isError) }

// Warned reports whether there is a warning.
func (p Problems) Warned() bool {
	return slices.ContainsFunc(p, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityWarning })
}

// Errors returns the errors.
func (p Problems) Errors() (errors Problems) {
	for _, d := range p {
		if isError(d) {
			errors = append(errors, d)
		}
	}
	return errors
}

// String returns all that the diagnostics say, with the attribute that each is on.
func (p Problems) String() string {
	var b strings.Builder
	for _, d := range p {
		fmt.Fprintf(&b, "%s: %s [%s]: %s\n", d.Severity, d.Summary, d.Attribute, d.Detail)
	}
	return b.String()
}

// Found are the diagnostics of a plan or an apply, by the addresses of resources; the address of
// those about no resource is "provider" or "terraform".
type Found map[string]Problems

// Failed reports whether there is an error.
func (f Found) Failed() bool { return len(f.Errors()) > 0 }

// Errors returns the errors.
func (f Found) Errors() Found {
	errors := Found{}
	for address, diags := range f {
		if diags.Failed() {
			errors[address] = diags.Errors()
		}
	}
	return errors
}
