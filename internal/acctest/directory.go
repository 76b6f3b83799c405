// This file plays plans and applies of the configuration in a directory with the model of Terraform.

package acctest

import (
	"errors"
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
		other.settings = map[string]string{"base_url": s.URL, "username": s.User, "password": s.Password}
	}
	return other
}

// modelled returns the configuration for the model, or nil if the program has to play it.
func (w *Workspace) modelled() *terraformtest.Config {
	w.T.Helper()
	if w.model == nil {
		return nil
	}
	config, err := Modelled.ParseDirectory(w.Dir, w.settings)
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
