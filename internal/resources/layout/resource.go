// This file implements the resource.

package layout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/planning"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// NewResource returns the resource, for the provider's list.
func (b Builder) NewResource() resource.Resource { return newLayout(b) }

type layoutResource struct {
	resources.Resource
	Builder
}

var (
	_ resource.ResourceWithConfigure   = (*layoutResource)(nil)
	_ resource.ResourceWithImportState = (*layoutResource)(nil)
	_ resource.ResourceWithIdentity    = (*layoutResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*layoutResource)(nil)
)

func newLayout(b Builder) *layoutResource {
	return &layoutResource{resources.Resource{Name: b.resource()}, b}
}

func (r *layoutResource) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	r.Resource.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = true // the workflow or network may be renamed
}

func (r *layoutResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema()
}

func (r *layoutResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		r.typ: identityschema.StringAttribute{RequiredForImport: true, Description: r.nameDescription()},
	}}
}

// ModifyPlan refuses to change the layout of another eNMS, and that of a workflow or network whose identity is untold or
// that others have renamed. For a new layout, it warns if the workflow or network does not exist.
func (r *layoutResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	rec := recordOf(ctx, req.Private)
	if r.refuseOtherServer(rec, &resp.Diagnostics) || req.Plan.Raw.Equal(req.State.Raw) {
		return
	}
	if req.State.Raw.IsNull() {
		resp.Diagnostics.Append(r.checkExists(ctx, req.Plan)...)
		return
	}
	var prior types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root(r.typ), &prior)...)
	isRemoved := req.Plan.Raw.IsNull()
	switch err := rec.untold(); {
	case err != nil && isRemoved:
		resp.Diagnostics.Append(r.cannotRemove(prior.ValueString(), err))
	case err != nil:
		resp.Diagnostics.Append(r.cannotLayOut(prior.ValueString(), err)...)
	}
	if isRemoved || resp.Diagnostics.HasError() {
		return
	}
	var planned types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root(r.typ), &planned)...)
	checker := planning.Checker{Reader: r.reader(r.Provider)}
	for _, d := range checker.CheckIdentityToUpdate(ctx, rec.values(planned.ValueString()), rec.values(prior.ValueString()), rec.Record) {
		resp.Diagnostics.Append(diag.WithPath(path.Root(r.typ), d))
	}
}

// checkExists warns if neither eNMS nor an earlier plan has the workflow or network of a new layout.
func (r *layoutResource) checkExists(ctx context.Context, plan tfsdk.Plan) diag.Diagnostics {
	var name types.String
	diags := plan.GetAttribute(ctx, path.Root(r.typ), &name)
	if r.Provider == nil || name.ValueString() == "" { // unknown until apply
		return diags
	}
	checker := planning.Checker{Reader: r.reader(r.Provider)}
	return append(diags, checker.CheckExists(ctx, r.typ, name.ValueString(), "layout")...)
}

// refuseOtherServer reports whether a record belongs to another eNMS, and adds the error of CheckAddress to diags. Then the
// caller does nothing.
func (r *layoutResource) refuseOtherServer(rec layoutRecord, diags *diag.Diagnostics) bool {
	other, refused := r.Provider.CheckAddress(rec.Server())
	diags.Append(refused...)
	return other
}

func (r *layoutResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.Diagnostics.Append(r.apply(ctx, req.Plan, nil, nil, &resp.State, resp.Identity, resp.Private)...)
}

func (r *layoutResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if r.refuseOtherServer(recordOf(ctx, req.Private), &resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(r.apply(ctx, req.Plan, &req.State, req.Private, &resp.State, resp.Identity, resp.Private)...)
}

// content is the content of a configuration or a state.
type content struct {
	name      string
	positions map[string]positionModel
	labels    map[string]labelModel
}

// isEmpty reports whether nothing is listed, as in a state after an import.
func (c content) isEmpty() bool { return c.positions == nil && c.labels == nil }

// listed returns the names of the members that are listed, or nil if nothing is listed.
func (c content) listed() map[string]bool {
	if c.isEmpty() {
		return nil
	}
	names := map[string]bool{}
	for name := range c.positions {
		names[name] = true
	}
	return names
}

// sharing returns whether the search for the members of c may be shared: if their names alone show that they are in the
// workflow. An empty content needs a search of its own.
func (c content) sharing(b Builder) sharing {
	if !b.scoped || c.isEmpty() {
		return alone
	}
	for name := range c.positions {
		if !b.isMemberByName(c.name, name) {
			return alone
		}
	}
	return shared
}

// source is a plan or a state.
type source interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diag.Diagnostics
}

// contentOf reads a plan or a state.
func (b Builder) contentOf(ctx context.Context, from source) (c content, diags diag.Diagnostics) {
	var name types.String
	diags.Append(from.GetAttribute(ctx, path.Root(b.typ), &name)...)
	diags.Append(from.GetAttribute(ctx, path.Root(PositionsField), &c.positions)...)
	if b.labelled {
		diags.Append(from.GetAttribute(ctx, path.Root(LabelsField), &c.labels)...)
	}
	c.name = name.ValueString()
	return c, diags
}

// target is a state or the resource of a list result.
type target interface {
	SetAttribute(ctx context.Context, at path.Path, value any) diag.Diagnostics
}

// put sets the attributes of a state.
func (b Builder) put(ctx context.Context, c content, state target) (diags diag.Diagnostics) {
	diags.Append(state.SetAttribute(ctx, path.Root(b.typ), c.name)...)
	diags.Append(state.SetAttribute(ctx, path.Root(PositionsField), c.positions)...)
	if b.labelled {
		diags.Append(state.SetAttribute(ctx, path.Root(LabelsField), c.labels)...)
	}
	return diags
}

// identify sets the identity, if this version of Terraform supports identities.
func (b Builder) identify(ctx context.Context, c content, identity *tfsdk.ResourceIdentity) diag.Diagnostics {
	if identity == nil {
		return nil
	}
	return identity.SetAttribute(ctx, path.Root(b.typ), c.name)
}

// wanted returns the positions and labels as eNMS stores them, by member and by key.
func (c content) wanted() (at positions, labels map[string]label) {
	at, labels = positions{}, map[string]label{}
	for name, p := range c.positions {
		at[name] = p.position()
	}
	for key, l := range c.labels {
		labels[key] = l.label()
	}
	return at, labels
}

// apply writes the planned layout, and stores it in state, identity and private. prior and priorPrivate, the
// state and the private state before, are nil for a creation.
func (r *layoutResource) apply(ctx context.Context, plan tfsdk.Plan, prior *tfsdk.State, priorPrivate record.Private,
	state *tfsdk.State, identity *tfsdk.ResourceIdentity, private record.Private) diag.Diagnostics {
	planned, diags := r.contentOf(ctx, plan)
	var was content
	if prior != nil && !diags.HasError() {
		was, diags = r.contentOf(ctx, prior)
	}
	if diags.HasError() {
		return diags
	}
	rec := recordOf(ctx, priorPrivate)
	diags = r.write(ctx, planned, was, &rec)
	if !diags.HasError() {
		diags.Append(r.put(ctx, planned, state)...)
		diags.Append(r.identify(ctx, planned, identity)...)
	}
	return append(diags, rec.write(ctx, private)...) // after an error, too: members may have been moved before it
}

// write draws the planned layout, and releases the members and labels that only the state has.
func (r *layoutResource) write(ctx context.Context, planned, was content, rec *layoutRecord) (diags diag.Diagnostics) {
	client := r.Provider.Configured(&diags)
	if client == nil {
		return diags
	}
	release := r.hold(planned.name)
	defer release()
	var state known
	if planned.name == was.name {
		state = rec.known
	}
	found, err := r.readToWrite(ctx, r.Provider, planned.name, state, planned.sharing(r.Builder), len(planned.labels)+len(was.labels) > 0)
	if err = cmp.Or(rec.untold(), err); err != nil {
		return r.cannotLayOut(planned.name, err)
	}
	at, wanted := planned.wanted()
	if missing := found.missing(at); len(missing) > 0 {
		return r.nonMemberErrors(ctx, planned.name, missing)
	}
	members, labels := r.released(planned, was)
	rec.addMoved(found, at)
	back := rec.formerPositions(r.Builder, found, members)
	if err = r.draw(ctx, client, found, wanted, labels); err == nil {
		err = r.move(ctx, client, found, at, mustExist)
	}
	if err == nil { // an interrupt no longer stops it
		ctx, done := client.WithGrace(ctx)
		defer done()
		err = r.move(ctx, client, found, back, mayBeGone)
	}
	if err != nil {
		return r.cannotLayOut(planned.name, err)
	}
	rec.forget(found, back)
	rec.known = known{found.id, record.Record{Origin: r.reader(r.Provider).Origin(ctx, found.row)}}
	r.addItems(planned)
	return nil
}

// hold waits until no other layout of this run writes the workflow or network, and keeps others from writing it
// until release is called.
func (r *layoutResource) hold(name string) (release func()) {
	return r.Provider.Run.Layouts.Hold(nil, r.typ+" "+name)
}

// addItems records what the layout draws, so that layouts that follow in the same run do not release it.
func (r *layoutResource) addItems(c content) {
	for name := range c.positions {
		r.Provider.Run.LayoutItems.Add(applying.LayoutItem{Type: r.typ, Of: c.name, Member: name})
	}
	for key := range c.labels {
		r.Provider.Run.LayoutItems.Add(applying.LayoutItem{Type: r.typ, Of: c.name, Label: key})
	}
}

// released returns the members and the keys of labels that the state has and the plan does not, unless
// another layout of the same run draws them.
func (r *layoutResource) released(planned, was content) (members, labels []string) {
	items := &r.Provider.Run.LayoutItems
	for name := range follow(r.Builder, was.positions, was.name, planned.name) {
		_, stays := planned.positions[name]
		if !stays && !items.Has(applying.LayoutItem{Type: r.typ, Of: planned.name, Member: name}) {
			members = append(members, name)
		}
	}
	for key := range was.labels {
		_, stays := planned.labels[key]
		if !stays && !items.Has(applying.LayoutItem{Type: r.typ, Of: planned.name, Label: key}) {
			labels = append(labels, key)
		}
	}
	slices.Sort(members)
	return members, labels
}

// nonMemberErrors returns the errors of a layout that positions instances that are not members.
func (r *layoutResource) nonMemberErrors(ctx context.Context, name string, missing []string) (diags diag.Diagnostics) {
	for _, member := range missing {
		var hint string
		switch meant := servicename.Meant(member, r.inEveryContainer); {
		case meant != "":
			hint = fmt.Sprintf("Did you mean %q?", meant)
		case slices.Contains(r.inEveryContainer, member):
			hint, _ = r.Provider.MissingRemedy(ctx, applying.Reference{Type: r.memberType, Name: member})
		default:
			hint = fmt.Sprintf("Use the full name, such as %q, and a reference to the %s, so that Terraform creates it first.", r.example(name), r.memberNoun)
		}
		diags.AddAttributeError(path.Root(PositionsField).AtMapKey(member), fmt.Sprintf("Cannot lay out %s %q", r.typ, name),
			fmt.Sprintf("eNMS shows no %s %q in it. Nothing was moved. %s", r.memberNoun, member, hint))
	}
	return diags
}

// cannotLayOut returns the error of a layout that could not be written.
func (r *layoutResource) cannotLayOut(name string, err error) (diags diag.Diagnostics) {
	summary := fmt.Sprintf("Cannot lay out %s %q", r.typ, name)
	if errors.Is(err, errNotThere) {
		diags.AddAttributeError(path.Root(r.typ), summary, fmt.Sprintf("There is no %s with that name that this user may read. Names are case-sensitive.", r.typ))
		return diags
	}
	diags.Append(failures.Diagnostic(summary, err))
	return diags
}

// Read reads the positions and labels that the state lists.
func (r *layoutResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state, diags := r.contentOf(ctx, req.State)
	if resp.Diagnostics.Append(diags...); resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(r.identify(ctx, state, resp.Identity)...) // missing after an import by the name
	rec := recordOf(ctx, req.Private)
	if !r.Provider.Ready() || r.refuseOtherServer(rec, &resp.Diagnostics) {
		return
	}
	reader := r.reader(r.Provider)
	reader.BeginRead(ctx, rec.Record)
	found, err := r.read(ctx, r.Provider, state.name, rec.known, state.listed())
	switch {
	case errors.Is(err, errNotThere) && rec.Imported:
		resp.Diagnostics.AddAttributeError(path.Root(r.typ), "Invalid "+r.typ+" name", fmt.Sprintf("There is no %s %q that this user can read%s. %s",
			r.typ, state.name, r.Provider.NameHint(ctx, r.typ, state.name), r.importHint()))
		return
	case errors.Is(err, errNotThere):
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.Append(failures.Diagnostic(fmt.Sprintf("Cannot read the layout of %s %q", r.typ, state.name), err))
		return
	}
	resp.Diagnostics.Append(rec.setFound(ctx, reader, found)...)
	now := r.contentIn(found, state)
	resp.Diagnostics.Append(r.put(ctx, now, &resp.State)...)
	resp.Diagnostics.Append(r.identify(ctx, now, resp.Identity)...)
	resp.Diagnostics.Append(rec.write(ctx, resp.Private)...)
}

// contentIn returns the positions and labels in eNMS that the state lists, or all of them if it lists nothing,
// as after an import.
func (b Builder) contentIn(found canvas, state content) content {
	afterImport := state.isEmpty()
	now := content{name: found.name, positions: positionModels(found.members, follow(b, state.positions, state.name, found.name), afterImport)}
	if b.labelled {
		now.labels = labelModels(found.labels, state.labels, afterImport)
	}
	return now
}

// Delete removes the labels of the layout, and moves members back to their former positions, because eNMS
// cannot remove a position (enms-rest.md 1.16).
func (r *layoutResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	rec := recordOf(ctx, req.Private)
	if r.refuseOtherServer(rec, &resp.Diagnostics) {
		return
	}
	state, diags := r.contentOf(ctx, req.State)
	resp.Diagnostics.Append(diags...)
	nothingToDo := len(rec.before) == 0 && len(state.labels) == 0
	if diags.HasError() || nothingToDo {
		return
	}
	client := r.Provider.Configured(&resp.Diagnostics)
	if client == nil {
		return
	}
	release := r.hold(state.name)
	defer release()
	err := r.remove(ctx, client, state, &rec)
	isGone := errors.Is(err, errNotThere) || errors.Is(err, enms.ErrNotFound) || failures.Is[*failures.Replaced](err)
	if err != nil && !isGone {
		resp.Diagnostics.Append(r.cannotRemove(state.name, err))
	}
}

// cannotRemove returns the error of a layout that could not be removed.
func (r *layoutResource) cannotRemove(name string, err error) diag.Diagnostic {
	return failures.Diagnostic(fmt.Sprintf("Cannot remove the layout of %s %q", r.typ, name), err)
}

// remove removes the labels of a state, and moves its members back to their former positions, except for those
// that somebody else has moved since.
func (r *layoutResource) remove(ctx context.Context, client *enms.Client, state content, rec *layoutRecord) error {
	if err := rec.untold(); err != nil {
		return err
	}
	found, err := r.find(ctx, r.Provider, client.FindNow, state.name, rec.known, reading.Now)
	if err != nil {
		return err
	}
	planned := content{name: found.name} // nothing, so that all members and labels of the state are released
	members, labels := r.released(planned, state)
	if err := r.draw(ctx, client, found, nil, labels); err != nil {
		return err
	}
	if len(rec.before) == 0 { // the layout has moved no member
		return nil
	}
	rows, err := r.membersOf(ctx, client, found.name, shared) // only members of the state are moved, not those of others
	if err != nil {
		return err
	}
	found.setMembers(rows)
	members = slices.DeleteFunc(members, func(name string) bool { return !rec.isWherePut(found.members[name]) })
	back := rec.formerPositions(r.Builder, found, members)
	return r.move(ctx, client, found, back, mayBeGone)
}

// ImportState stores the name. The read that follows adds the positions.
func (r *layoutResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if req.ID != "" && strings.TrimSpace(req.ID) == "" {
		resp.Diagnostics.AddAttributeError(path.Root(r.typ), "Invalid "+r.typ+" name", r.importHint())
		return
	}
	resp.Diagnostics.Append(record.Record{Imported: true}.Write(ctx, resp.Private)...)
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root(r.typ), path.Root(r.typ), req, resp)
}

// importHint says how to import a layout.
func (b Builder) importHint() string {
	return "Import by the full name of the " + b.typ + ", as eNMS shows it."
}
