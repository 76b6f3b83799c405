// The request to run a service: the service, its targets and its form (4.1).

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

type runRequest struct {
	service        *database.Object
	devices, pools []*database.Object
	creator        string
	trigger        string
	name           string
	labels         any
	extra          *python.Dict // what the payload gets from the request (the other keywords) or from the task
	form           *python.Dict
	task           *database.Object // nil if the run was not started by the scheduler
}

// readOverrides reads what overrides properties of the run: creator, trigger and labels, which it removes from data,
// because the payload does not have them, and the form. A form that is not an object is an error.
func (r *runRequest) readOverrides(data *python.Dict) error {
	for key, into := range map[string]*string{"creator": &r.creator, "trigger": &r.trigger} {
		if v, _ := data.Pop(key); python.Truthy(v) {
			*into, _ = v.(string)
		}
	}
	r.labels, _ = data.Pop("labels")
	form, sent := data.Lookup("form")
	r.form, _ = form.(*python.Dict)
	if sent && r.form == nil {
		return python.ErrServer
	}
	r.name, _ = r.form.Get("name").(string)
	if labels, sent := r.form.Lookup("labels"); sent {
		r.labels = labels
	}
	return nil
}

// targets adds the requested devices and pools to r, and returns a message for each that does not exist.
func (c *command) targets(r *runRequest, data *python.Dict) ([]any, error) {
	errorTexts := []any{}
	for _, source := range []struct {
		key, typ, property, complaint string
		into                          *[]*database.Object
	}{
		{"devices", "device", "name", "No device with the name '", &r.devices},
		{"ip_addresses", "device", "ip_address", "No device with the IP address '", &r.devices},
		{"pools", "pool", "name", "No pool with the name '", &r.pools},
	} {
		value, sent := data.Lookup(source.key)
		if !sent {
			continue
		}
		items, err := python.Iterate(value)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			wanted, _ := item.(string)
			if err := c.CheckText(wanted); err != nil {
				return nil, err
			}
			if found := c.firstBy(source.typ, source.property, wanted); found != nil {
				*source.into = append(*source.into, found)
			} else {
				errorTexts = append(errorTexts, source.complaint+wanted+"'")
			}
		}
	}
	return errorTexts, nil
}

// payload returns the payload of the run, which the code of the service can read.
func (r *runRequest) payload() *python.Dict {
	return r.service.Dict("initial_payload").Merged(r.form.Dict("initial_payload")).Merged(r.properties())
}

// properties returns the properties of the run. If a client requests only devices or only pools, the other
// targets are an empty list.
func (r *runRequest) properties() *python.Dict {
	properties := python.NewDict().Merged(r.extra)
	if r.trigger == "REST API" && len(r.devices) > 0 && len(r.pools) == 0 {
		properties.Set("target_pools", []any{})
	}
	if r.trigger == "REST API" && len(r.devices) == 0 && len(r.pools) > 0 {
		properties.Set("target_devices", []any{})
	}
	return properties
}

// firstBy returns an object of a type with a value of a property, the first that the caller may read, or nil.
func (c *command) firstBy(typ, property, value string) *database.Object {
	if property == "name" {
		if o := c.ByName(typ, value); o != nil && c.May("read", o) {
			return o
		}
		return nil
	}
	for _, o := range c.All(typ) {
		if c.SameText(o.Text(property), value) && c.May("read", o) {
			return o
		}
	}
	return nil
}
