// What differs between servers besides the database: types and properties that
// some do not have, answers that some give otherwise.

package simulator

import (
	"fmt"
	"strings"
)

const (
	genericDevice = "generic_device"
	softDeleted   = "soft_deleted"
	siteService   = "site_service"
	siteRack      = "rack"
	siteCollector = "collector"
)

// siteTypes are types of a site's own.
func siteTypes() {
	kindOfService(siteService, text("", "script"))
	root(siteRack, text("", "description", "room"), integer(int64(42), "height"))
	root(siteCollector, text("", "address"), secret("token"))
}

// DeleteAnswer is what a deletion answers.
type DeleteAnswer int

const (
	// DeletedWhole is the object as it was, its relations expanded.
	DeletedWhole DeleteAnswer = iota
	// DeletedProperties is the object without its relations.
	DeletedProperties
	// DeletedNull is null.
	DeletedNull
)

// DeleteRefusal is what a deletion answers that eNMS does not allow.
type DeleteRefusal int

const (
	// RefusalAborted is 200 with delete_aborted, as since June 2023.
	RefusalAborted DeleteRefusal = iota
	// RefusalForbidden is 403, as since August 2022.
	RefusalForbidden
	// RefusalAlert is 200 with an alert, as before.
	RefusalAlert
)

// Check says what is wrong with the options.
func (o *Options) Check() error {
	if int(o.Database) < 0 || int(o.Database) >= len(dialects) {
		return fmt.Errorf("there is no database %d", int(o.Database))
	}
	for _, missing := range o.MissingFields {
		model, property, _ := strings.Cut(missing, ".")
		m := models[model]
		if m == nil || m.fields[property] == nil && m.relations[property] == nil {
			return fmt.Errorf("there is no property %q", missing)
		}
	}
	return nil
}

// model is the instance type of a name, nil when the server has none.
func (s *Server) model(name string) *model {
	switch name {
	case "node":
		if s.opts.NoNode || s.opts.GenericDevice {
			return nil
		}
	case siteService, siteRack, siteCollector:
		if !s.opts.SiteTypes {
			return nil
		}
	case genericDevice:
		if !s.opts.GenericDevice {
			return nil
		}
	}
	return models[name]
}

// made is the type of a new object that is asked for as one of model m.
func (s *Server) made(m *model) string {
	if m.name == "device" && s.opts.GenericDevice {
		return genericDevice
	}
	return m.name
}

// lacks says whether the server does not know a property of a type.
func (s *Server) lacks(m *model, property string) bool {
	if property == softDeleted {
		return !s.opts.SoftDeleted
	}
	for _, missing := range s.missing[property] {
		if m.isA(missing) {
			return true
		}
	}
	return false
}

// missingFields are the types that lack a property, by property.
func (o *Options) missingFields() map[string][]string {
	missing := map[string][]string{}
	for _, field := range o.MissingFields {
		model, property, _ := strings.Cut(field, ".")
		missing[property] = append(missing[property], model)
	}
	return missing
}
