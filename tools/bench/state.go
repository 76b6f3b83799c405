// This file makes the state of many instances from the state of one. Terraform would need minutes
// to create thousands.

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

// blockSize is how many instances a resource block has: Terraform's own work grows with the square
// of this number.
const blockSize = 1000

// createdDevices returns a directory with a configuration and a state of devices that exist.
func (b *bench) createdDevices(ctx context.Context, sim *workshop.Simulator, count int) (string, error) {
	device := devices(1)
	dir, err := b.apply(ctx, sim, device.configuration())
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

// createdData returns a directory with as many terraform_data, which have the attributes of the
// devices in another directory.
func (b *bench) createdData(ctx context.Context, sim *workshop.Simulator, devices string, count int) (string, error) {
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
	dir, err := b.apply(ctx, sim, configuration)
	if err != nil {
		return "", err
	}
	return dir, multiply(dir, configuration, count, func(int) []string { return nil })
}

// apply applies a configuration in a new directory.
func (b *bench) apply(ctx context.Context, sim *workshop.Simulator, configuration string) (string, error) {
	dir, err := b.directory(configuration)
	if err != nil {
		return "", err
	}
	_, err = b.measure(ctx, dir, sim.Environment(), sim, steps[0].args)
	return dir, err
}

// firstInstance returns the state in a directory, and the first instance of its only resource.
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

// multiply replaces a configuration of one instance, and its state, by those of many, in blocks.
// texts returns pairs for the i-th instance: a text of the first one, and the text in its place.
func multiply(dir, configuration string, count int, texts func(i int) []string) error {
	state, first, err := firstInstance(dir)
	if err != nil {
		return err
	}
	one := resourceOf(state)
	var resources []any
	var blocks strings.Builder
	_, body, _ := strings.Cut(configuration, "resource ")
	for start := 0; start < count; start += blockSize {
		resource := maps.Clone(one)
		resource["name"] = fmt.Sprintf("many_%d", start)
		if resource["instances"], err = copies(first, start, min(blockSize, count-start), texts); err != nil {
			return err
		}
		resources = append(resources, resource)
		blocks.WriteString(strings.NewReplacer(`"many"`, fmt.Sprintf(`"many_%d"`, start), "count = 1\n", fmt.Sprintf("count = %d\n", min(blockSize, count-start)),
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

// copies returns the instances of a block of the state, as copies of the first instance.
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
