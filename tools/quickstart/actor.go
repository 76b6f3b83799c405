// This file is somebody else who works with the same eNMS: it writes behind
// Terraform's back and looks at what is really there.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// simulator is the eNMS of the story.
type simulator struct{ *workshop.Simulator }

// inventory is what exists: the id by type and name, such as "device DALLAS".
type inventory map[string]int64

// types are the types of instances that the example makes. Each holds its
// subtypes as well.
var types = []string{"device", "service", "task"}

// instance is what this program wants to know of an instance.
type instance struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	IPAddress string `json:"ip_address"`
}

// inventory asks for all that exists.
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

// address returns the address of a device, as eNMS has it.
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
