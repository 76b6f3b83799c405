// This file names what an instance refers to and eNMS does not have: all of it at once, each
// with the name that eNMS has and that is nearest to it.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// missingError tells that eNMS does not have what attributes refer to.
type missingError struct {
	references []missingReference // at least one
	cause      error              // what eNMS said; nil when it was not told to write anything
}

// missingReference is an instance that an attribute refers to and eNMS does not have.
type missingReference struct {
	attribute, typ, name string
	near                 string // the nearest name that eNMS has, or ""
}

// Error is the error in one line.
func (e *missingError) Error() string {
	missing := make([]string, len(e.references))
	for i, r := range e.references {
		missing[i] = fmt.Sprintf("%s %q", r.typ, r.name)
		if r.near != "" {
			missing[i] += fmt.Sprintf(" (did you mean %q?)", r.near)
		}
	}
	return "there is no such instance in eNMS: " + strings.Join(missing, ", ")
}

// Unwrap is what eNMS said.
func (e *missingError) Unwrap() error { return e.cause }

// explainMissing is the error of a write that eNMS refused because it does not have what the
// plan refers to, with all that it does not have. eNMS names the first one only.
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

// missingOf are the references of an attribute to names that eNMS does not have.
func (r *Instances) missingOf(ctx context.Context, attribute, typ string, names []string) (references []missingReference) {
	for _, name := range names {
		references = append(references, missingReference{attribute, typ, name, r.provider.nearestName(ctx, typ, name)})
	}
	return references
}

// namesByType are the names that eNMS has of types, each asked for once in a run, and only
// when something is missing.
type namesByType struct{ asked sync.Map }

// nearestName is the name of an instance of a type that is nearest to one that eNMS does not
// have, "" when none is near or eNMS does not tell.
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
	// What many names begin with, such as that of a site, does not make them near.
	same := 0
	for same < min(len(name), len(near)) && name[same] == near[same] {
		same++
	}
	if rest := near[same:]; rest != "" && kind.Nearest(name[same:], []string{rest}) == "" {
		return ""
	}
	return near
}
