// This file makes states of many instances out of the state of one: to create
// thousands with Terraform takes Terraform itself minutes.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

const stateFile = "terraform.tfstate"

// existing is a directory whose configuration and state hold so many devices,
// which exist.
func (b *bench) existing(ctx context.Context, sim *workshop.Simulator, count int) (string, error) {
	dir, err := b.one(ctx, sim, devices(1).configuration())
	if err != nil {
		return "", err
	}
	if err := putDevices(ctx, sim, count); err != nil {
		return "", err
	}
	var made []struct {
		ID   int64  `json:"id"`
		Name string `json:"name"`
	}
	if err := sim.Ask(ctx, http.MethodGet, "/rest/query/device", nil, &made); err != nil {
		return "", err
	}
	ids := map[string]int64{}
	for _, device := range made {
		ids[device.Name] = device.ID
	}
	id := func(i int) string { return fmt.Sprint(ids[deviceName(i)]) }
	return dir, multiply(dir, devices(count).configuration(), count, func(i int) *strings.Replacer {
		return strings.NewReplacer(`"`+deviceName(0)+`"`, `"`+deviceName(i)+`"`, `"`+deviceAddress(0)+`"`, `"`+deviceAddress(i)+`"`,
			`"id":"`+id(0)+`"`, `"id":"`+id(i)+`"`)
	})
}

// existingBare is the same with Terraform's own resources, which hold what the
// devices' state holds.
func (b *bench) existingBare(ctx context.Context, sim *workshop.Simulator, devices string, count int) (string, error) {
	_, instance, err := firstInstance(devices)
	if err != nil {
		return "", err
	}
	var device struct {
		Attributes json.RawMessage `json:"attributes"`
	}
	if err := json.Unmarshal(instance, &device); err != nil {
		return "", err
	}
	configuration := func(count int) string {
		input := strings.NewReplacer(`"`+deviceName(0)+`"`, `"bench-${count.index}"`,
			`"`+deviceAddress(0)+`"`, `"10.0.${floor(count.index / 256)}.${count.index % 256}"`).Replace(string(device.Attributes))
		return fmt.Sprintf("resource \"terraform_data\" \"many\" {\n  count = %d\n  input = %s\n}\n", count, input)
	}
	dir, err := b.one(ctx, sim, configuration(1))
	if err != nil {
		return "", err
	}
	return dir, multiply(dir, configuration(count), count, func(i int) *strings.Replacer {
		return strings.NewReplacer(`"`+deviceName(0)+`"`, `"`+deviceName(i)+`"`, `"`+deviceAddress(0)+`"`, `"`+deviceAddress(i)+`"`)
	})
}

// one applies a configuration.
func (b *bench) one(ctx context.Context, sim *workshop.Simulator, configuration string) (string, error) {
	dir, err := b.directory(configuration)
	if err != nil {
		return "", err
	}
	_, err = b.measure(ctx, dir, sim.Environment(), sim, steps[0].args)
	return dir, err
}

// firstInstance is the state of a directory and, of its only resource, the first
// instance.
func firstInstance(dir string) (state map[string]any, instance []byte, err error) {
	content, err := os.ReadFile(filepath.Join(dir, stateFile))
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(content, &state); err != nil {
		return nil, nil, err
	}
	instance, err = json.Marshal(resourceOf(state)["instances"].([]any)[0])
	return state, instance, err
}

// resourceOf is the only resource of a state.
func resourceOf(state map[string]any) map[string]any {
	return state["resources"].([]any)[0].(map[string]any)
}

// multiply replaces a configuration of one instance, and its state, by those of
// many; texts tells what is another text in the i-th.
func multiply(dir, configuration string, count int, texts func(i int) *strings.Replacer) error {
	state, first, err := firstInstance(dir)
	if err != nil {
		return err
	}
	instances := make([]any, count)
	for i := range instances {
		var instance map[string]any
		if err := json.Unmarshal([]byte(texts(i).Replace(string(first))), &instance); err != nil {
			return err
		}
		instance["index_key"] = i
		instances[i] = instance
	}
	resourceOf(state)["instances"] = instances
	content, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, stateFile), content, 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600)
}
