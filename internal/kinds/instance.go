// This file declares instances of any type.

package kinds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// instance declares instances of any type. own are the kinds of the types that have their own.
func instance(own []*kind.Kind) *kind.Kind {
	return &kind.Kind{
		Name:    "instance",
		AnyType: &kind.AnyType{Common: typesOf(own), Like: func(typ string) *kind.Kind { return like(own, typ) }},

		NoTimestamps: true, // some types have none

		Summary: "An instance of any type, built in or added by your site. If the type has its own resource, use that: it has the type's defaults and checks values.",
		Attributes: []kind.Attribute{
			{Name: "type", Role: kind.Subtype, Required: true, Recreate: true,
				Doc: "The instance type, as in the path `/rest/instance/<type>`."},
		},
		Unwatched: append([]string{"positions"}, volatileFields...),
		NeverSent: []string{"source_name", "destination_name", "service_name"},
		Rules:     kind.Rules{Check: checkManageable},
	}
}

// typesOf returns the types that every eNMS has: those of the kinds, and those without a kind.
func typesOf(own []*kind.Kind) []string {
	types := []string{"node", "parameters"}
	for _, k := range own {
		types = append(types, k.KnownTypes()...)
	}
	return types
}

// like returns the kind whose namespace and line of eNMS a type has (enms-rest.md 0.3), or nil. A type that
// a site has added ends with the name of that kind.
func like(own []*kind.Kind, typ string) *kind.Kind {
	if k := kind.Named(own, typ); k != nil {
		return k
	}
	for _, k := range own {
		ofSite := k.HasSubtypes() && strings.HasSuffix(typ, "_"+k.Name)
		ofDataStore := k.Namespace == dataNamespace && slices.Contains(dataTypes, typ)
		if ofSite || ofDataStore {
			return k
		}
	}
	return nil
}

// notManaged are the types that a client must not manage, and why (enms-rest.md 1.14,
// 1.15, 4).
var notManaged = map[string]string{
	"server":      "When any server is written, the eNMS that handles the request adopts its settings.",
	"worker":      "eNMS registers its workers itself, and deleting one ends its process.",
	"run":         "eNMS creates a run whenever a service runs.",
	"result":      "eNMS creates results when services run.",
	"service_log": "eNMS writes logs when services run.",
	"changelog":   "eNMS writes the changelog itself.",
	"session":     "eNMS manages the sessions of its users itself.",
	"file":        "eNMS sets the names of files from their paths, and its REST interface does not return their content.",
	"folder":      "eNMS sets the names of folders from their paths.",
}

// plainTypes has the types to which eNMS 5 has given another name, and which the client translates.
var plainTypes = map[string]string{"generic_device": "device", "generic_link": "link"}

// checkManageable refuses types that must not be managed, also for imported instances, and checks data.
func checkManageable(p *kind.Plan) {
	typ, _ := p.Text("type")
	if why, refused := notManaged[typ]; refused {
		p.Refuse("type", fmt.Sprintf("Instances of type %s cannot be managed", typ), why)
	}
	if plain := plainTypes[typ]; plain != "" {
		p.Refuse("type", "Invalid type", checks.OtherName(typ, plain))
	}
	checkData(p)
}
