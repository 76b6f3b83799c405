// This file plays plans and applies in a directory: with the program, or with the model of Terraform.

package acctest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// In returns the workspace of a directory whose provider is connected to a server.
func (w *Workspace) In(dir string, s *Server) *Workspace {
	other := *w
	other.Dir = dir
	other.Environment = append(slices.Clone(w.Environment), "ENMS_BASE_URL="+s.URL, "ENMS_USERNAME="+s.User, "ENMS_PASSWORD="+s.Password)
	return &other
}

// InModel is In, but the model of Terraform plays Apply, Plan and PlanNothing; the program does if
// ENMS_TEST_TERRAFORM says so, or if the first configuration has what the model does not have. Run is
// always the program, which does not know the state of the model.
func (w *Workspace) InModel(dir string, s *Server) *Workspace {
	other := w.In(dir, s)
	if !RealTerraform() {
		other.model = &terraformtest.Terraform{Provider: Modelled}
		other.settings = s.Settings()
	}
	return other
}

// modelled returns the configuration for the model, or nil if the program has to play it.
func (w *Workspace) modelled() *terraformtest.Config {
	w.T.Helper()
	if w.model == nil {
		return nil
	}
	config, err := Modelled.ParseDirectory(w.Dir, w.settings, nil)
	switch {
	case err == nil:
		return config
	case !errors.Is(err, terraformtest.ErrNotInModel) || len(w.model.State) > 0:
		w.T.Fatal(err)
	}
	w.T.Logf("played with the real Terraform: %v", err)
	w.model = nil
	return nil
}

// planModelled plans with the model, and says what the plan does as Terraform does.
func (w *Workspace) planModelled(config *terraformtest.Config) (planned *terraformtest.Plan, out string) {
	w.T.Helper()
	planned, found := w.model.Plan(w.T.Context(), config, terraformtest.PlanOptions{})
	if found.Failed() {
		w.T.Fatalf("plan:\n%s", found.Print(config))
	}
	return planned, planned.Summary()
}

// Apply applies with so many operations at a time, expects success, and returns what Terraform
// wrote, which begins with the plan.
func (w *Workspace) Apply(parallelism int) (planAndApply string) {
	w.T.Helper()
	if config := w.modelled(); config != nil {
		w.model.Parallelism = parallelism
		planned, out := w.planModelled(config)
		if done := w.model.Apply(w.T.Context(), planned); done.Found.Failed() {
			w.T.Fatalf("apply:\n%s", done.Found.Print(config))
		}
		return out
	}
	code, out := w.Run("apply", "-no-color", "-auto-approve", fmt.Sprintf("-parallelism=%d", parallelism))
	if code != 0 {
		w.T.Fatalf("apply ended with %d:\n%s", code, out)
	}
	return out
}

// Plan plans, expects success, and returns what Terraform wrote.
func (w *Workspace) Plan() string {
	w.T.Helper()
	if config := w.modelled(); config != nil {
		_, out := w.planModelled(config)
		return out
	}
	code, out := w.Run("plan", "-no-color")
	if code != 0 {
		w.T.Fatalf("plan ended with %d:\n%s", code, out)
	}
	return out
}

// PlanNothing plans with ten operations at a time, and expects no changes.
func (w *Workspace) PlanNothing() {
	w.T.Helper()
	if config := w.modelled(); config != nil {
		if planned, out := w.planModelled(config); !planned.Empty() {
			w.T.Fatalf("the plan is not empty:\n%s", out)
		}
		return
	}
	if code, out := w.Run("plan", "-no-color", "-detailed-exitcode", "-parallelism=10"); code != 0 {
		w.T.Fatalf("plan ended with %d:\n%s", code, out)
	}
}
