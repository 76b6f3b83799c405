// Package model has the types of eNMS. A type is a table, in inventory.go, services.go or
// automation.go, written in the words of words.go; what eNMS does when an object is written,
// read or deleted is a row in hooks.go. Hooks work in a Session: a transaction of the
// database, the caller with his rights (rights.go), and the process that answers. Numbers in
// comments are sections of enms-rest.md.
package model

import (
	"fmt"
	"strings"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
)

// New returns the schema of a server without some types and some properties, which are named
// like "task.pools". A property that no server has is an error.
func New(hidden, missing []string) (*database.Schema, error) {
	s := &database.Schema{Types: Types(), ForeignKeys: foreignKeys, Hidden: hidden, Missing: map[string][]string{}}
	for _, name := range missing {
		typ, property, _ := strings.Cut(name, ".")
		m := s.Types[typ]
		if m == nil || m.Fields[property] == nil && m.Relations[property] == nil {
			return nil, fmt.Errorf("there is no property %q", name)
		}
		s.Missing[property] = append(s.Missing[property], typ)
	}
	return s, nil
}

// Types returns all instance types. They are the same for all servers and never change.
var Types = sync.OnceValue(func() map[string]*database.Type {
	c := catalog{}
	for _, declare := range []func(catalog){inventoryTypes, serviceTypes, automationTypes, siteTypes} {
		declare(c)
	}
	return c
})

// siteTypes declares types of a site's own.
func siteTypes(c catalog) {
	c.service(SiteService, text("", "script"))
	c.root(SiteRack, text("", "description", "room"), integer(int64(42), "height"))
	c.root(SiteCollector, text("", "address"), secret("token"))
}

var foreignKeys = map[string]database.ForeignKey{
	"credential": {Table: "service", Relation: "named_credential"},
	"workflow":   {Table: "service", Relation: "superworkflow", Cleared: true},
	"service":    {Table: "run", Relation: "service", Deleted: true},
	"task":       {Table: "run", Relation: "task", Cleared: true},
}
