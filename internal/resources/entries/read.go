// This file reads the instances, and imports them.

package entries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// ReadResource reads the instances of the entries. Entries whose instances are gone are removed
// from the state. If any entry cannot be read, the whole state remains as it was.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp := &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}
	values, err := decode(req.CurrentState)
	if values == nil {
		return resp, err
	}
	if resp.NewIdentity == nil {
		resp.NewIdentity = identityOf(values)
	}
	if !s.provider().Ready() {
		return resp, nil // while a setting of the provider block is unknown, the state stays as it is
	}
	private, diags := readPrivate(req.Private)
	other, found := s.provider().CheckAddress(private.server())
	if diags.Append(found...); other {
		resp.Diagnostics = diagnosticsOf(diags)
		return resp, nil
	}
	c, found := s.collectionOf(values)
	if diags.Append(found...); c == nil || diags.HasError() {
		resp.Diagnostics = diagnosticsOf(diags)
		return resp, nil
	}
	prior, hadIDs, found := private.entriesOf(values)
	diags.Append(found...)
	read := c.read
	if private.Import != nil {
		read = func(ctx context.Context, name string, e entry, r entryRecord) (outcome, bool) {
			return c.importEntry(ctx, name, e, private.Import), true
		}
	}
	next, changed := c.readAll(ctx, prior, private, read)
	entries, records, found := next.all()
	if diags.Append(found...); !diags.HasError() {
		if hadIDs {
			entries, changed = withIDs(entries, records), true
		}
		if changed {
			values[attrInstances], values[attrDefaults] = instancesOf(entries, values[attrInstances]), defaultsOf(entries, records, values[attrDefaults])
			resp.NewState, resp.NewIdentity = encode(values), identityOf(values)
		}
		resp.Private = privateState{Records: records, Renamed: private.Renamed}.encode(&diags)
	}
	resp.Diagnostics = diagnosticsOf(diags)
	return resp, nil
}

// readAll reads all entries. changed reports whether any of them has changed.
func (c *collection) readAll(ctx context.Context, prior map[string]entry, private privateState,
	read func(context.Context, string, entry, entryRecord) (outcome, bool)) (next *outcomes, changed bool) {
	next = &outcomes{}
	var anyChanged atomic.Bool
	inParallel(sorted(prior), mostTogether, func(name string) {
		result, another := read(ctx, name, prior[name], private.Records[name])
		if another {
			anyChanged.Store(true)
		}
		next.set(name, result)
	})
	return next, anyChanged.Load()
}

// read reads an entry. changed reports whether the entry has changed.
func (c *collection) read(ctx context.Context, name string, e entry, r entryRecord) (result outcome, changed bool) {
	before := beforeChanges(withDefaults(e, r.Defaults), r.Changed)
	p := c.derive(&priorEntry{name: name, entry: before, record: r})
	now, next, diags := c.instances.Read(ctx, p.state, p.instance)
	if diags.HasError() {
		return outcome{entry: e, record: r, diags: diags}, false
	}
	if now == nil {
		return outcome{diags: diags}, true
	}
	result = outcome{entry: before, record: recordOf(c.kind, p.config, now, next), diags: diags}
	changed = len(r.Changed) > 0
	givenName := value.Text(e[kind.RowName]) // by others, at the last read; "" if it is the key
	if c.deviates(p, now) || givenName != "" && givenName != value.Text(now[kind.RowName]) {
		result.entry, changed = many.Entry(c.kind, before, p.config, now), true
		result.record.Changed = changes(before, result.entry)
	}
	return result.split(r.Defaults), changed
}

// beforeChanges returns an entry as it was before others changed its instance. A read compares the values in eNMS
// with that. Otherwise it could not see that somebody has restored a value, or a member of a list to which eNMS
// adds members. Members that the configuration has removed since are not compared.
func beforeChanges(e entry, changed value.Object) entry {
	if len(changed) == 0 {
		return e
	}
	before := maps.Clone(e)
	for member, x := range changed {
		if now, is := e[member]; is {
			before[member] = many.Like(now, value.FromJSON(x))
		}
	}
	return before
}

// changes returns the previous values of the members that a read has changed.
func changes(before, after entry) value.Object {
	changed := value.Object{}
	for member, v := range before {
		if member != kind.RowName && !v.Equal(after[member]) {
			changed[member] = value.ToJSON(v)
		}
	}
	return changed
}

// deviates reports whether eNMS has other values than the entry, so that an update would write them.
func (c *collection) deviates(p *priorEntry, now kind.Values) bool {
	if many.Same(c.kind, p.config, now, func(string) bool { return true }) && now[kind.RowName].Equal(p.config[kind.RowName]) {
		return false
	}
	plan := plans.New(c.kind, p.config, now, p.instance.Managed, c.now)
	return payloads.Update(c.kind, p.config, plan.Planned, now) != nil
}

// importEntry reads an entry for an import. written is the entry as the import id has it, which is empty if that
// has only the name.
func (c *collection) importEntry(ctx context.Context, name string, written entry, by *importing) outcome {
	config := func(e entry) kind.Values {
		values, _ := c.configOf(name, e)
		return values
	}
	properties := by.Properties
	if by.Written {
		properties = append([]string{}, sorted(written)...) // not nil, even if there are none
	}
	e, state, origin, diags := c.instances.Import(ctx, config(entry{}), properties)
	if diags.HasError() {
		return outcome{diags: diags}
	}
	diags.Append(c.leaveOutInvalid(name, e)...)
	defaults := c.heldDefaults(name, state)
	if by.Written { // values that eNMS has remain as they are written
		e = many.Entry(c.kind, written, config(written), config(e))
		defaults = unset(written, defaults)
	}
	var managed []string
	if properties != nil {
		managed = plans.Managed(c.kind, config(e), state, nil)
	}
	for member, x := range defaults {
		e[member] = value.FromJSON(x)
	}
	return outcome{entry: e, record: recordOf(c.kind, config(e), state, record.Record{Managed: managed, Origin: origin}), diags: diags}.split(defaults)
}

// heldDefaults returns the defaults of the provider block that an imported instance has in eNMS.
func (c *collection) heldDefaults(name string, state kind.Values) value.Object {
	held := maps.Clone(c.members)
	maps.DeleteFunc(held, func(member string, x any) bool {
		config, _ := c.configOf(name, entry{member: value.FromJSON(x)})
		return !many.Same(c.kind, config, state, func(string) bool { return true })
	})
	return held
}

// leaveOutInvalid removes from an imported entry the values that no configuration may have, and returns a warning
// for each of them.
func (c *collection) leaveOutInvalid(name string, e entry) diag.Diagnostics {
	config, diags := c.configOf(name, e)
	valid, warnings := plans.WithoutInvalid(c.kind, config)
	properties := value.Members(valid[kind.RowProperties])
	for member := range e {
		v, isRow := valid[member]
		_, isProperty := properties[member]
		if isRow && v.IsNull() || !isRow && !isProperty {
			delete(e, member)
		}
	}
	return append(diags, warnings...)
}

// importID is a parsed import id, or the identity of an import block.
type importID struct {
	Type       string   `json:"type"`
	Names      []string `json:"names"`
	Properties []string `json:"properties"` // nil for all
	// Instances are the entries as the configuration writes them, in place of names and properties.
	Instances map[string]map[string]any `json:"instances"`
}

// parseID reads an import id: type/NAME,NAME or a JSON object.
func parseID(id string) (importID, error) {
	var parsed importID
	if strings.HasPrefix(strings.TrimSpace(id), "{") {
		decoder := json.NewDecoder(strings.NewReader(id))
		decoder.DisallowUnknownFields()
		decoder.UseNumber()
		if err := decoder.Decode(&parsed); err != nil {
			if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
				return parsed, fmt.Errorf("invalid JSON: %q cannot hold a %s", wrong.Field, wrong.Value)
			}
			return parsed, fmt.Errorf("invalid JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
	} else {
		typ, names, _ := strings.Cut(id, "/")
		parsed = importID{Type: typ, Names: strings.Split(names, ",")}
	}
	return parsed, parsed.check()
}

// decodeIdentity reads the identity of an import block.
func decodeIdentity(identity *tfprotov6.ResourceIdentityData) (importID, error) {
	var parsed importID
	raw, err := identity.IdentityData.Unmarshal(identityType)
	if err != nil {
		return parsed, err
	}
	var members map[string]tftypes.Value
	if err := raw.As(&members); err != nil {
		return parsed, err
	}
	parsed.Type = value.Text(members[attrType])
	parsed.Names = value.Names(members[attrNames])
	return parsed, parsed.check()
}

// check returns an error if an import is invalid.
func (i importID) check() error {
	switch {
	case i.Instances != nil && (i.Names != nil || i.Properties != nil):
		return errors.New("it has instances beside names or properties")
	case i.Type == "" || len(i.Names)+len(i.Instances) == 0:
		return errors.New("the type or the names are missing")
	}
	for _, name := range append(sorted(i.Instances), i.Names...) {
		if wrong := kind.WrongName(name); wrong != "" {
			return errors.New(strings.TrimSuffix(wrong, "."))
		}
	}
	return nil
}

// entries returns the entries of the import, which are empty if it has only their names.
func (i importID) entries() map[string]entry {
	entries := map[string]entry{}
	for _, name := range i.Names {
		entries[name] = entry{}
	}
	for name, written := range i.Instances {
		entries[name] = entry{}
		for member, x := range written {
			entries[name][member] = value.FromJSON(x)
		}
	}
	return entries
}

// parseImport reads the id or the identity in a request.
func parseImport(req *tfprotov6.ImportResourceStateRequest) (parsed importID, diags diag.Diagnostics) {
	var err error
	if req.Identity != nil {
		if parsed, err = decodeIdentity(req.Identity); err != nil {
			diags.AddError("Cannot import by this identity", checks.Sentence(err.Error())+` Write the type and the names, as in { type = "device", names = ["R1", "R2"] }.`)
		}
		return parsed, diags
	}
	if parsed, err = parseID(req.ID); err != nil {
		diags.AddError("Cannot import "+req.ID, checks.Sentence(err.Error())+` Import by the type and the names, as in "device/R1,R2". For names with commas, or to import only what is configured, use JSON: jsonencode({ type = "device", instances = { R1 = { ip_address = "10.0.0.1" } } }), with the instances of the configuration.`)
	}
	return parsed, diags
}

// ImportResourceState stores the type, and the names or the entries as the import id writes them. Terraform then calls
// ReadResource, which reads the rest.
func (s *Server) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	parsed, diags := parseImport(req)
	if diags.HasError() {
		return &tfprotov6.ImportResourceStateResponse{Diagnostics: diagnosticsOf(diags)}, nil
	}
	values := kind.Values{}
	for name, t := range objectType.(tftypes.Object).AttributeTypes {
		values[name] = tftypes.NewValue(t, nil)
	}
	values[attrType] = tftypes.NewValue(tftypes.String, parsed.Type)
	values[attrInstances] = instancesOf(parsed.entries(), value.ObjectOf(nil))
	_, diags = s.collectionOf(values)
	private := privateState{Import: &importing{Properties: parsed.Properties, Written: parsed.Instances != nil}}.encode(&diags)
	return &tfprotov6.ImportResourceStateResponse{Diagnostics: diagnosticsOf(diags), ImportedResources: []*tfprotov6.ImportedResource{{
		TypeName: req.TypeName, State: encode(values), Identity: identityOf(values), Private: private}}}, nil
}
