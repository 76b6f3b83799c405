// This file makes states of many instances out of the state of one: to create
// thousands with Terraform takes Terraform itself minutes.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

const stateFile = "terraform.tfstate"

// block is how many instances a resource block has: Terraform's own work grows
// with the square of it.
const block = 1000

// existing returns a directory whose configuration and state hold so many devices, which
// exist.
func (b *bench) existing(ctx context.Context, sim *workshop.Simulator, count int) (string, error) {
	device := devices(1)
	dir, err := b.one(ctx, sim, device.configuration())
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
	id := func(i int) string { return fmt.Sprintf(`"id":"%d"`, ids[deviceName(i)]) }
	return dir, multiply(dir, device.configuration(), count, func(i int) []string { return []string{id(0), id(i)} })
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
	input := strings.NewReplacer(`"`+deviceName(0)+`"`, `"bench-${count.index}"`,
		`"`+deviceAddress(0)+`"`, `"10.0.${floor(count.index / 256)}.${count.index % 256}"`).Replace(string(device.Attributes))
	configuration := fmt.Sprintf("resource \"terraform_data\" \"many\" {\n  count = 1\n  input = %s\n}\n", input)
	dir, err := b.one(ctx, sim, configuration)
	if err != nil {
		return "", err
	}
	return dir, multiply(dir, configuration, count, func(int) []string { return nil })
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

// firstInstance returns the state of a directory and, of its only resource, the first
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

// resourceOf returns the only resource of a state.
func resourceOf(state map[string]any) map[string]any {
	return state["resources"].([]any)[0].(map[string]any)
}

// multiply replaces a configuration of one instance, and its state, by those of
// many, in blocks; texts are pairs of what else is another text in the i-th.
func multiply(dir, configuration string, count int, texts func(i int) []string) error {
	state, first, err := firstInstance(dir)
	if err != nil {
		return err
	}
	one := resourceOf(state)
	var resources []any
	var blocks strings.Builder
	_, body, _ := strings.Cut(configuration, "resource ")
	for start := 0; start < count; start += block {
		resource := maps.Clone(one)
		resource["name"] = fmt.Sprintf("many_%d", start)
		if resource["instances"], err = copies(first, start, min(block, count-start), texts); err != nil {
			return err
		}
		resources = append(resources, resource)
		blocks.WriteString(strings.NewReplacer(`"many"`, fmt.Sprintf(`"many_%d"`, start), "count = 1\n", fmt.Sprintf("count = %d\n", min(block, count-start)),
			"count.index", fmt.Sprintf("(%d + count.index)", start)).Replace("resource " + body))
	}
	state["resources"] = resources
	content, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, stateFile), content, 0o600); err != nil {
		return err
	}
	variables := "variable \"text\" { default = \"first\" }\n"
	return os.WriteFile(filepath.Join(dir, "main.tf"), []byte(variables+blocks.String()), 0o600)
}

// copies returns the instances of a block of the state, made of the first.
func copies(first []byte, start, count int, texts func(i int) []string) ([]any, error) {
	instances := make([]any, count)
	for index := range instances {
		i := start + index
		pairs := append([]string{`"` + deviceName(0) + `"`, `"` + deviceName(i) + `"`,
			`"` + deviceAddress(0) + `"`, `"` + deviceAddress(i) + `"`}, texts(i)...)
		var instance map[string]any
		if err := json.Unmarshal([]byte(strings.NewReplacer(pairs...).Replace(string(first))), &instance); err != nil {
			return nil, err
		}
		instance["index_key"] = index
		instances[index] = instance
	}
	return instances, nil
}
