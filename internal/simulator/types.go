// Package model says what the types of eNMS are: their tables, who may do what with their
// objects, and what eNMS does when one is written, read or deleted. Numbers in comments
// are sections of enms-rest.md.

package simulator

import (
	"fmt"
	"strings"
	"sync"
)

// newSchema returns what the objects of a server can be that does not have some types
// and properties, such as "task.pools". A property that no server has is an error.
func newSchema(hidden, missing []string) (*schema, error) {
	s := &schema{types: types(), foreignKeys: foreignKeys, hidden: hidden, missing: map[string][]string{}}
	for _, name := range missing {
		typ, property, _ := strings.Cut(name, ".")
		m := s.types[typ]
		if m == nil || m.fields[property] == nil && m.relations[property] == nil {
			return nil, fmt.Errorf("there is no property %q", name)
		}
		s.missing[property] = append(s.missing[property], typ)
	}
	return s, nil
}

// types returns all instance types. They are the same for all servers and never change.
var types = sync.OnceValue(func() map[string]*model {
	c := catalog{}
	for _, declare := range []func(catalog){inventoryTypes, serviceTypes, automationTypes, siteTypes} {
		declare(c)
	}
	return c
})

// siteTypes declares types of a site's own.
func siteTypes(c catalog) {
	c.service(siteService, text("", "script"))
	c.root(siteRack, text("", "description", "room"), integer(int64(42), "height"))
	c.root(siteCollector, text("", "address"), secret("token"))
}

var foreignKeys = map[string]foreignKey{
	"credential": {table: "service", relation: "named_credential"},
	"workflow":   {table: "service", relation: "superworkflow", cleared: true},
	"service":    {table: "run", relation: "service", deleted: true},
	"task":       {table: "run", relation: "task", cleared: true},
}
