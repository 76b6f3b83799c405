// This file finds out what eNMS refuses. Before a write, it checks types and criteria. After a
// refused write, it looks for the reason if eNMS gives none, or only the first of several.

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// explainRefusal returns an error with the reason why eNMS refused a write, or nil if it finds
// none.
func (r *Instances) explainRefusal(ctx context.Context, verb string, planned, prior kind.Values, cause error) error {
	if cause == nil {
		return nil
	}
	ctx, done := r.provider.Client.WithGrace(ctx)
	defer done()
	return r.explainMissing(ctx, planned, prior, r.explainDuplicate(ctx, verb, planned, cause))
}

// explainDuplicate looks for four reasons of a refusal: another resource of this run has the
// instance; this user may not read the instance with the name; eNMS does not have the type;
// another instance has the same values in attributes that must be unique.
func (r *Instances) explainDuplicate(ctx context.Context, verb string, planned kind.Values, cause error) error {
	if exists, ok := errors.AsType[*enms.ExistsError](cause); ok {
		if err := r.checkOwner(cmp.Or(exists.FoundName, exists.Name), exists.ID); err != nil {
			return err
		}
		if r.isHidden(ctx, exists) {
			return &hiddenError{exists}
		}
		if verb == verbCreate && r.isElsewhere(ctx, exists, planned) {
			return &elsewhereError{exists: exists, unique: r.kind.Unique}
		}
	}
	if err := r.explainType(ctx, verb, planned, cause); err != nil {
		return err
	}
	if states.UniqueCriteria(r.kind, planned) == nil || !enms.InternalServerError(cause) {
		return cause
	}
	rows, err := r.inPlace(ctx, planned)
	name := value.Text(planned[kind.RowName])
	if err != nil || len(rows) == 0 || rows[0][kind.RowName] == name {
		return cause
	}
	remedy := "import that one, or remove one of the two from the configuration"
	if verb != verbCreate { // only a creation may meet its own instance
		remedy = "if this configuration manages that one, remove one of the two; otherwise delete it in eNMS"
	}
	return &enms.RefusedError{Op: verb, Type: r.kind.Name, Name: name, Reason: fmt.Sprintf(
		"eNMS has the %s %q (id %v) with the same %s, of which it takes one only; %s; if this run was to change that one, apply again",
		r.kind.Name, rows[0][kind.RowName], rows[0][kind.RowID], strings.Join(r.kind.Unique, ", "), remedy)}
}

// isHidden reports whether this user may not read the instance that has the name. Searches by
// the type of the namespace, such as node, return it nevertheless (enms-rest.md 6.2).
func (r *Instances) isHidden(ctx context.Context, exists *enms.ExistsError) bool {
	_, err := r.provider.Client.FindByID(ctx, cmp.Or(exists.FoundType, r.kind.Name), exists.ID)
	return errors.Is(err, enms.ErrNotFound)
}

// isElsewhere reports whether the instance that has the name has other values in the
// attributes that must be unique: then it is not the planned one, and has kept its name from
// before it was changed.
func (r *Instances) isElsewhere(ctx context.Context, exists *enms.ExistsError, planned kind.Values) bool {
	if states.UniqueCriteria(r.kind, planned) == nil {
		return false
	}
	rows, err := r.inPlace(ctx, planned)
	return err == nil && !slices.ContainsFunc(rows, func(row enms.Object) bool { return row[kind.RowName] == cmp.Or(exists.FoundName, exists.Name) })
}

// explainMissing returns the error of a write that eNMS refused because the plan refers to
// instances that do not exist. It names all of them, while eNMS names only the first.
func (r *Instances) explainMissing(ctx context.Context, planned, prior kind.Values, cause error) error {
	refused, ok := errors.AsType[*enms.RefusedError](cause)
	if !ok || refused.Missing == nil {
		return cause
	}
	found := &missingError{cause: cause}
	attributes := relate.RelationNames(r.kind)
	for i, related := range relate.NewlyRelated(r.kind, planned, prior) {
		missing, err := r.provider.Client.Missing(ctx, related.Type, related.Names)
		if err != nil {
			return cause
		}
		told := *refused.Missing
		if slices.Contains(related.Names, told.Name) && related.Type == told.Type && !slices.Contains(missing, told.Name) {
			missing = append(missing, told.Name)
		}
		found.references = append(found.references, r.missingOf(ctx, attributes[i], related.Type, missing)...)
	}
	if len(found.references) == 0 {
		return cause
	}
	return found
}

// missingOf returns the references of an attribute to names that do not exist.
func (r *Instances) missingOf(ctx context.Context, attribute, typ string, names []string) (references []missingReference) {
	for _, name := range names {
		references = append(references, missingReference{attribute, typ, name, r.provider.nameHint(ctx, typ, name)})
	}
	return references
}

// nameHint returns which name of a type may be meant by a missing one, after a blank: that of the
// instance whose id the name is, or the most similar one. It is "" if there is none or eNMS cannot
// be asked.
func (p *Provider) nameHint(ctx context.Context, typ, name string) string {
	if _, err := strconv.ParseUint(name, 10, 63); err == nil {
		if row, err := p.Client.FindByID(ctx, typ, name); err == nil {
			return fmt.Sprintf(" (%s is the id of %q; write the name, or .name in place of .id)", name, row[kind.RowName])
		}
	}
	if near := p.nearestName(ctx, typ, name); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// nearestName returns the existing name of a type that is most similar to a missing one, or ""
// if none is similar or eNMS cannot be asked.
func (p *Provider) nearestName(ctx context.Context, typ, name string) string {
	names := p.names.get(typ, func() (names []string) {
		rows, err := p.Client.List(ctx, typ, nil, map[string]any{})
		if err != nil {
			return nil
		}
		for _, row := range rows {
			if name, is := row[kind.RowName].(string); is {
				names = append(names, name)
			}
		}
		return names
	})
	near := checks.Nearest(name, names)
	// A common prefix, such as the name of a site, does not make names similar.
	same := 0
	for same < min(len(name), len(near)) && name[same] == near[same] {
		same++
	}
	if rest := near[same:]; rest != "" && checks.Nearest(name[same:], []string{rest}) == "" {
		return ""
	}
	return near
}

// checkSpelling checks that the names of newly related instances are spelled as in eNMS, which
// returns its own spelling: every plan would show a difference.
func (r *Instances) checkSpelling(ctx context.Context, planned, prior kind.Values) error {
	for _, related := range relate.NewlyRelated(r.kind, planned, prior) {
		if err := r.provider.Client.Spelled(ctx, related.Type, related.Names); err != nil {
			return err
		}
	}
	return nil
}

// CheckType refuses a type that eNMS does not have. It asks only about types that no table
// has, which may be a site's own; while eNMS cannot be asked, it refuses nothing.
func (r *Instances) CheckType(ctx context.Context, typ string) (diags diag.Diagnostics) {
	row := r.kind.SubtypeRow()
	if row == "" || typ == "" || !r.provider.Ready() || slices.Contains(r.kind.KnownTypes(), typ) {
		return nil
	}
	near, lacks := r.provider.lacksType(ctx, r.kind.KnownTypes(), typ)
	if !lacks {
		return nil
	}
	diags.AddAttributeError(path.Root(row), fmt.Sprintf("Unknown type %q", typ), unknownTypeHint(typ, near))
	return diags
}

// explainType returns the error of a 500 that eNMS answered because it does not have the type, or
// nil if that is not the reason. Usually the plan has checked the type, unless eNMS could not be
// asked.
func (r *Instances) explainType(ctx context.Context, verb string, planned kind.Values, cause error) error {
	typ := value.Text(planned[r.kind.SubtypeRow()])
	if !enms.InternalServerError(cause) || !r.CheckType(ctx, typ).HasError() {
		return nil
	}
	return &enms.RefusedError{Op: verb, Type: r.kind.Name, Name: value.Text(planned[kind.RowName]), Reason: "it has no such type", UnknownType: typ}
}

// hasType reports whether eNMS has a type, or cannot be asked.
func (p *Provider) hasType(ctx context.Context, typ string) bool {
	return p.types.get(typ, func() bool {
		has, err := p.Client.HasType(ctx, typ)
		return has || err != nil
	})
}

// lacksType reports whether eNMS lacks a type, and which of the known types that it has is the most
// similar one.
func (p *Provider) lacksType(ctx context.Context, known []string, typ string) (near string, lacks bool) {
	if p.hasType(ctx, typ) || !p.hasType(ctx, "service") { // a server without services refuses every search
		return "", false
	}
	if near = nearestType(typ, known); near != "" && !p.hasType(ctx, near) {
		near = ""
	}
	return near, true
}

// serviceSuffix is the common suffix of the types of services.
const serviceSuffix = "_service"

// nearestType returns the known type with the most similar name, or "" if none is similar. The
// common suffix of services is ignored.
func nearestType(typ string, known []string) string {
	own, ofService := strings.CutSuffix(typ, serviceSuffix)
	if !ofService {
		return checks.Nearest(typ, known)
	}
	var services []string
	for _, candidate := range known {
		if name, is := strings.CutSuffix(candidate, serviceSuffix); is {
			services = append(services, name)
		}
	}
	if near := checks.Nearest(own, services); near != "" {
		return near + serviceSuffix
	}
	return ""
}

func unknownTypeHint(typ, near string) string {
	hint := fmt.Sprintf("This eNMS has no type %q.", typ) + spellingHint(near)
	if near == "" {
		hint += " A type of your own must be installed on the server first."
	}
	return hint
}

// CheckCriteria refuses new criteria on properties that this eNMS cannot compare. It would drop
// them (enms-rest.md 1.7), and the members would be others than intended. A user who may see no
// pool gets no such error. prior is nil for a creation.
func (r *Instances) CheckCriteria(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	if !r.provider.Ready() {
		return nil
	}
	name := value.Text(planned[kind.RowName])
	for _, c := range payloads.UnknownCriteria(r.kind, planned, prior) {
		ignored, err := r.provider.Client.Ignores(ctx, r.kind.Name, c.Search)
		switch {
		case err != nil:
			return append(diags, r.errorDiagnostic(verbPlan, name, planned, err)...)
		case ignored:
			diags.AddAttributeError(path.Root(c.Attribute).AtMapKey(c.Property), fmt.Sprintf("Unknown criterion %q", c.Property),
				fmt.Sprintf("This eNMS cannot compare that property, and would drop the condition.%s The configuration of the eNMS server defines which properties can be compared.", spellingHint(c.Nearest)))
		}
	}
	return diags
}

// spellingHint returns the advice to use a similar name, or to check the spelling if there is none,
// after a blank.
func spellingHint(near string) string {
	if near == "" {
		return " Check the spelling."
	}
	return fmt.Sprintf(" Did you mean %q?", near)
}

// tryCriteria searches by each new criterion that not every database can evaluate. Once such a
// criterion is written, eNMS cannot compute any pool on the server (enms-rest.md 2.4), so nothing
// may be written after an error. prior is nil for a creation.
func (r *Instances) tryCriteria(ctx context.Context, verb string, planned, prior kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, trial := range payloads.Trials(r.kind, planned, prior) {
		works, err := r.provider.Client.Searchable(ctx, trial.Type, trial.Search)
		switch {
		case err != nil:
			return append(diags, r.errorDiagnostic(verb, name, planned, err)...)
		case !works:
			diags.AddAttributeError(path.Root(trial.Attribute).AtMapKey(trial.Property), fmt.Sprintf("Cannot %s %s %q", verb, r.kind.Name, name),
				fmt.Sprintf("eNMS's database cannot search %ss by %s with match = %q and value = %q. With this criterion, eNMS could not compute the members of any %s on the server, so nothing was written. %s",
					trial.Type, trial.Property, trial.Criterion.Match, trial.Criterion.Value, r.kind.Name, trialHint(trial.Criterion)))
		}
	}
	return diags
}

// trialHint returns the advice for a criterion by which eNMS cannot search.
func trialHint(c kind.Criterion) string {
	if c.Match == kind.MatchRegex {
		return "Use a regular expression that the database of this eNMS supports."
	}
	return `If the property is a number, use match = "equality" with a whole number; if it is a Boolean, value = "bool-true" or "bool-false"; otherwise match = "regex".`
}
