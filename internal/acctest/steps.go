// The steps of an acceptance test, which are played as terraform-plugin-testing does, with the model of Terraform
// in terraformtest in place of the program.

package acctest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// Modelled is the provider of this tree, for the model of Terraform.
var Modelled = terraformtest.NewProvider(serve)

// Factories serve the provider in this process.
var Factories = map[string]func() (tfprotov6.ProviderServer, error){"enms": serve}

func serve() (tfprotov6.ProviderServer, error) { return provider.NewServer("test") }

// RealTerraform reports whether ENMS_TEST_TERRAFORM asks for the real Terraform in each test.
func RealTerraform() bool { return os.Getenv("ENMS_TEST_TERRAFORM") == "real" }

// playSteps plays the steps of a test with the model of Terraform; with the real one if
// ENMS_TEST_TERRAFORM says so, or if a step needs what the model does not have.
func playSteps(t *testing.T, steps []resource.TestStep) {
	t.Helper()
	configs, err := modelledConfigs(steps)
	if err == nil && !RealTerraform() {
		playModelled(t, steps, configs)
		return
	}
	if err != nil {
		t.Logf("played with the real Terraform: %v", err)
	}
	resource.UnitTest(t, resource.TestCase{Steps: steps, ProtoV6ProviderFactories: Factories})
}

// modelledConfigs returns the configurations of steps; an error if a step needs what the model does not have.
func modelledConfigs(steps []resource.TestStep) ([]*terraformtest.Config, error) {
	configs := make([]*terraformtest.Config, len(steps))
	for i, step := range steps {
		var err error
		configs[i], err = Modelled.Parse(step.Config)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		// These fields the model can play. No other one may be set.
		step.PreConfig, step.Config, step.Check, step.ExpectError, step.Taint = nil, "", nil, nil, nil
		step.ConfigPlanChecks.PreApply = nil
		step.PlanOnly, step.ExpectNonEmptyPlan, step.Destroy = false, false, false
		if !reflect.ValueOf(step).IsZero() {
			return nil, fmt.Errorf("step %d: %w", i+1, errors.New("a field of the step"))
		}
	}
	return configs, nil
}

// playModelled plays steps with the model, and destroys what is there in the end.
func playModelled(t *testing.T, steps []resource.TestStep, configs []*terraformtest.Config) {
	t.Helper()
	p := &player{tf: &terraformtest.Terraform{Provider: Modelled}}
	defer func() {
		if len(p.tf.State) > 0 {
			if err := p.apply(true, nil); err != nil {
				t.Errorf("the destruction in the end: %v", err)
			}
		}
	}()
	for i, step := range steps {
		if step.PreConfig != nil {
			step.PreConfig()
		}
		err := p.play(step, configs[i])
		switch {
		case step.ExpectError != nil && err == nil:
			t.Fatalf("step %d of %d: expected an error but got none", i+1, len(steps))
		case step.ExpectError != nil && !step.ExpectError.MatchString(err.Error()):
			t.Fatalf("step %d of %d: expected an error with %s: %v", i+1, len(steps), step.ExpectError, err)
		case step.ExpectError != nil:
			continue
		}
		if err != nil {
			t.Fatalf("step %d of %d: %v", i+1, len(steps), err)
		}
	}
}

// player is a test that is being played.
type player struct {
	tf     *terraformtest.Terraform
	config *terraformtest.Config // of the latest step
}

// play plays a step. Its plans afterwards, without and with a refresh, must be empty unless the step says otherwise.
func (p *player) play(step resource.TestStep, config *terraformtest.Config) error {
	p.config = config
	p.tf.State = maps.Clone(p.tf.State)
	for _, address := range step.Taint {
		if p.tf.State[address] == nil {
			return fmt.Errorf("there is no %s to taint", address)
		}
		tainted := *p.tf.State[address]
		tainted.Tainted = true
		p.tf.State[address] = &tainted
	}
	if !step.PlanOnly {
		before := p.tf.State
		if err := p.apply(step.Destroy, step.ConfigPlanChecks.PreApply); err != nil {
			return err
		}
		checked := p.tf.State
		if step.Destroy {
			checked = before
		}
		if step.Check != nil {
			if err := step.Check(p.checkedState(checked)); err != nil {
				return fmt.Errorf("check failed: %w", err)
			}
		}
	}
	after, err := p.plan(terraformtest.PlanOptions{Destroy: step.Destroy, SkipRefresh: true})
	if err == nil && !after.Empty() && !step.ExpectNonEmptyPlan {
		err = fmt.Errorf("the plan without a refresh is not empty: %s", after)
	}
	if err != nil {
		return err
	}
	after, err = p.plan(terraformtest.PlanOptions{Destroy: step.Destroy})
	switch {
	case err != nil:
		return err
	case !after.Empty() && !step.ExpectNonEmptyPlan:
		return fmt.Errorf("the plan is not empty: %s", after)
	case after.Empty() && step.ExpectNonEmptyPlan:
		return errors.New("expected a plan that is not empty")
	}
	return nil
}

// plan plans, and returns errors as Terraform prints them.
func (p *player) plan(o terraformtest.PlanOptions) (*terraformtest.Plan, error) {
	planned, found := p.tf.Plan(context.Background(), p.config, o)
	if found.Failed() {
		return nil, fmt.Errorf("plan:\n%s", found.Print(p.config))
	}
	return planned, nil
}

// apply plans, checks the plan, and applies it.
func (p *player) apply(destroy bool, checks []plancheck.PlanCheck) error {
	planned, err := p.plan(terraformtest.PlanOptions{Destroy: destroy})
	if err != nil {
		return err
	}
	for _, check := range checks {
		resp := plancheck.CheckPlanResponse{}
		check.CheckPlan(context.Background(), plancheck.CheckPlanRequest{Plan: planned.JSON()}, &resp)
		if resp.Error != nil {
			return resp.Error
		}
	}
	if done := p.tf.Apply(context.Background(), planned); done.Found.Failed() {
		return fmt.Errorf("apply:\n%s", done.Found.Print(p.config))
	}
	return nil
}

// checkedState converts objects by address, and the outputs of the last state, to the legacy state that the checks of
// terraform-plugin-testing take: with keys such as enms_device.x.0, and scalar outputs as strings.
func (p *player) checkedState(objects map[string]*terraformtest.Object) *terraform.State {
	state := terraform.NewState() //nolint:staticcheck // checks have no other one
	module := state.RootModule()
	for address, o := range objects {
		if terraformtest.BlockOf(address) != address {
			continue // deposed: checks see only current objects
		}
		attributes := o.Attributes()
		typ := terraformtest.TypeOf(strings.TrimPrefix(address, "data."))
		module.Resources[strings.NewReplacer("[", ".", "]", "").Replace(address)] = &terraform.ResourceState{Type: typ, Dependencies: o.Dependencies,
			Primary: &terraform.InstanceState{ID: attributes["id"], Attributes: attributes, Tainted: o.Tainted}}
	}
	for name, output := range p.tf.StateJSON().Values.Outputs {
		value := output.Value
		switch value.(type) {
		case bool, json.Number:
			value = fmt.Sprint(value)
		}
		module.Outputs[name] = &terraform.OutputState{Value: value, Type: "string"} // checks do not look at the type
	}
	return state
}
