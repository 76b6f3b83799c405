// This file changes and reads the simulated eNMS without Terraform, as other users would.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// simulator is the simulated eNMS.
type simulator struct{ *workshop.Simulator }

// inventory has the ids of all instances by type and name, such as "device DALLAS".
type inventory map[string]int64

// types are the types of the example's instances. A query for a type includes its subtypes.
var types = []string{"device", "service", "task"}

// instance is what the steps compare of an instance.
type instance struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	IPAddress string `json:"ip_address"`
}

// inventory returns all instances.
func (s *simulator) inventory(ctx context.Context) (inventory, error) {
	all := inventory{}
	for _, typ := range types {
		var found []instance
		if err := s.Ask(ctx, http.MethodGet, "/rest/query/"+typ, nil, &found); err != nil {
			return nil, err
		}
		for _, x := range found {
			all[typ+" "+x.Name] = x.ID
		}
	}
	return all, nil
}

// address returns the address of a device.
func (s *simulator) address(ctx context.Context, device string) (string, error) {
	var found []instance
	if err := s.Ask(ctx, http.MethodGet, "/rest/query/device?name="+url.QueryEscape(device), nil, &found); err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("eNMS has %d devices called %q", len(found), device)
	}
	return found[0].IPAddress, nil
}

// setAddress gives a device another address.
func (s *simulator) setAddress(ctx context.Context, device, address string) error {
	var answer struct {
		Success []string          `json:"success"`
		Failure []json.RawMessage `json:"failure"`
	}
	err := s.Ask(ctx, http.MethodPost, "/rest/instance/device", map[string]string{"name": device, "ip_address": address}, &answer)
	if err == nil && (len(answer.Success) != 1 || len(answer.Failure) != 0) {
		err = fmt.Errorf("eNMS did not change device %q: %s", device, answer.Failure)
	}
	return err
}
