// This file explains references to instances that do not exist: all of them at once, each with
// the most similar existing name.

package lifecycle

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// explainMissing returns the error of a write that eNMS refused because the plan refers to
// instances that do not exist. It names all of them, while eNMS names only the first.
func (r *Instances) explainMissing(ctx context.Context, planned, prior kind.Values, cause error) error {
	refused, ok := errors.AsType[*enms.RefusedError](cause)
	if !ok || refused.Missing == nil {
		return cause
	}
	ctx = context.WithoutCancel(ctx)
	found := &missingError{cause: cause}
	attributes := r.kind.RelationNames()
	for i, related := range r.kind.NewlyRelated(planned, prior) {
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
		references = append(references, missingReference{attribute, typ, name, r.provider.nearestName(ctx, typ, name)})
	}
	return references
}

// nearestName returns the existing name of a type that is most similar to a missing one, or ""
// if none is similar or eNMS cannot be asked.
func (p *Provider) nearestName(ctx context.Context, typ, name string) string {
	ask := sync.OnceValue(func() (names []string) {
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
	known, _ := p.known.asked.LoadOrStore(typ, ask)
	near := kind.Nearest(name, known.(func() []string)())
	// A common prefix, such as the name of a site, does not make names similar.
	same := 0
	for same < min(len(name), len(near)) && name[same] == near[same] {
		same++
	}
	if rest := near[same:]; rest != "" && kind.Nearest(name[same:], []string{rest}) == "" {
		return ""
	}
	return near
}

// checkSpelling checks that the names of newly related instances are spelled as in eNMS, which
// returns its own spelling: every plan would show a difference.
func (r *Instances) checkSpelling(ctx context.Context, planned, prior kind.Values) error {
	for _, related := range r.kind.NewlyRelated(planned, prior) {
		if err := r.provider.Client.Spelled(ctx, related.Type, related.Names); err != nil {
			return err
		}
	}
	return nil
}
