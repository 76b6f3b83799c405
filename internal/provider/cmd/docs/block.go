// This file writes schemas of the plugin protocol as Terraform does.

package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// schema is the schema of a list resource.
type schema struct {
	Version int64 `json:"version"`
	Block   block `json:"block"`
}

// action is the schema of an action, which has no version.
type action struct {
	Block block `json:"block"`
}

type identity struct {
	Version    int64                        `json:"version"`
	Attributes map[string]identityAttribute `json:"attributes"`
}

type block struct {
	Attributes  map[string]attribute `json:"attributes,omitempty"`
	Description string               `json:"description,omitempty"`
	Kind        string               `json:"description_kind"`
}

type attribute struct {
	Type        tftypes.Type `json:"type"`
	Description string       `json:"description,omitempty"`
	Kind        string       `json:"description_kind"`
	Required    bool         `json:"required,omitempty"`
	Optional    bool         `json:"optional,omitempty"`
	Computed    bool         `json:"computed,omitempty"`
	Sensitive   bool         `json:"sensitive,omitempty"`
}

type identityAttribute struct {
	Type        tftypes.Type `json:"type"`
	Description string       `json:"description,omitempty"`
	Required    bool         `json:"required_for_import,omitempty"`
	Optional    bool         `json:"optional_for_import,omitempty"`
}

// blockOf returns a block with its attributes. It returns an error if the block needs more than the actions
// and the list resources of the provider have, such as nested blocks.
func blockOf(s *tfprotov6.Schema) (block, error) {
	if len(s.Block.BlockTypes) > 0 {
		return block{}, errors.New("it has nested blocks, which this command does not write")
	}
	b := block{Attributes: map[string]attribute{}, Description: s.Block.Description, Kind: kindOf(s.Block.DescriptionKind)}
	for _, a := range s.Block.Attributes {
		if a.NestedType != nil || a.WriteOnly || a.Deprecated {
			return block{}, fmt.Errorf("%s is nested, write-only or deprecated, which this command does not write", a.Name)
		}
		b.Attributes[a.Name] = attribute{Type: a.Type, Description: a.Description, Kind: kindOf(a.DescriptionKind),
			Required: a.Required, Optional: a.Optional, Computed: a.Computed, Sensitive: a.Sensitive}
	}
	return b, nil
}

// kindOf returns the name of the form of a description.
func kindOf(kind tfprotov6.StringKind) string {
	if kind == tfprotov6.StringKindMarkdown {
		return "markdown"
	}
	return "plain"
}

func identityOf(s *tfprotov6.ResourceIdentitySchema) identity {
	made := identity{Version: s.Version, Attributes: map[string]identityAttribute{}}
	for _, a := range s.IdentityAttributes {
		made.Attributes[a.Name] = identityAttribute{Type: a.Type, Description: a.Description, Required: a.RequiredForImport, Optional: a.OptionalForImport}
	}
	return made
}
