// This file refuses plans that create instances of types which this eNMS does not have.

package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// typeCache is what a process knows of types that no table has. Each question is asked once;
// who asks meanwhile waits. The zero value is ready for use.
type typeCache struct {
	mu     sync.Mutex
	has    map[string]bool
	own    map[string][]string // by a base type, the types of a site's own that instances have
	silent bool                // eNMS could not be asked
}

// CheckType refuses a type that eNMS does not have. It asks only about types that no table
// has, which may be a site's own; while eNMS cannot be asked, it refuses nothing.
func (r *Instances) CheckType(ctx context.Context, typ string) (diags diag.Diagnostics) {
	row := r.kind.SubtypeRow()
	if row == "" || typ == "" || !r.provider.Ready() || slices.Contains(r.kind.KnownTypes(), typ) {
		return nil
	}
	near, missing := r.provider.types.missing(ctx, r.provider.Client, r.kind, typ)
	if !missing {
		return nil
	}
	diags.AddAttributeError(path.Root(row), fmt.Sprintf("Unknown type %q", typ), unknownTypeHint(typ, near))
	return diags
}

// explainType returns the error of a 500 that eNMS gave because it does not have the type, nil
// when that is not why. The plan has not told when it could not ask.
func (r *Instances) explainType(ctx context.Context, verb string, planned kind.Values, cause error) error {
	typ := value.Text(planned[r.kind.SubtypeRow()])
	if !enms.InternalServerError(cause) || !r.CheckType(ctx, typ).HasError() {
		return nil
	}
	return &enms.RefusedError{Op: verb, Type: r.kind.Name, Name: value.Text(planned[kind.RowName]), Reason: "it has no such type", UnknownType: typ}
}

// unknownTypeHint says what to do about a type that eNMS does not have.
func unknownTypeHint(typ, near string) string {
	if near != "" {
		return fmt.Sprintf("This eNMS has no type %q. Did you mean %q?", typ, near)
	}
	return fmt.Sprintf("This eNMS has no type %q. Check the spelling; a type of your site's own has to be installed on the server first.", typ)
}

// missing reports whether eNMS does not have a type that no table has, and which one of its
// types is the nearest. Instances of a site's own types show that it has those: one request
// answers for all of them. Another one is asked for by itself.
func (t *typeCache) missing(ctx context.Context, client *enms.Client, k *kind.Kind, typ string) (near string, missing bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := k.KnownTypes()
	if !k.AnyType && slices.Contains(t.ownTypes(ctx, client, k.Name, known), typ) {
		return "", false
	}
	if has, err := t.hasType(ctx, client, typ); has || err != nil {
		return "", false
	}
	bases := []string{k.Name}
	if k.AnyType {
		bases = []string{"service", "device", "link"}
	}
	for _, base := range bases {
		known = append(known, t.ownTypes(ctx, client, base, known)...)
	}
	if t.silent || slices.Contains(known, typ) { // what broke these may have broken that
		return "", false
	}
	near = nearestType(typ, known)
	if has, _ := t.hasType(ctx, client, near); !has {
		near = ""
	}
	return near, true
}

// serviceSuffix is what the types of services end in.
const serviceSuffix = "_service"

// nearestType returns the known type that is nearest to one that is not known, "" when none
// comes near. What the types of services have in common does not count.
func nearestType(typ string, known []string) string {
	own, ofService := strings.CutSuffix(typ, serviceSuffix)
	if !ofService {
		return kind.Nearest(typ, known)
	}
	var services []string
	for _, candidate := range known {
		if name, is := strings.CutSuffix(candidate, serviceSuffix); is {
			services = append(services, name)
		}
	}
	if near := kind.Nearest(own, services); near != "" {
		return near + serviceSuffix
	}
	return ""
}

// ownTypes returns the types of a site's own that instances of a base type have. It asks
// once. t is locked.
func (t *typeCache) ownTypes(ctx context.Context, client *enms.Client, base string, known []string) []string {
	own, asked := t.own[base]
	if asked || t.silent {
		return own
	}
	own, err := client.TypesInUse(ctx, base, known)
	if t.own == nil {
		t.own = map[string][]string{}
	}
	t.own[base], t.silent = own, err != nil
	return own
}

// hasType asks once whether eNMS has a type. t is locked.
func (t *typeCache) hasType(ctx context.Context, client *enms.Client, typ string) (has bool, err error) {
	if has, asked := t.has[typ]; asked || typ == "" || t.silent {
		return has, nil
	}
	if has, err = client.HasType(ctx, typ); err != nil {
		t.silent = true
		return false, err
	}
	if t.has == nil {
		t.has = map[string]bool{}
	}
	t.has[typ] = has
	return has, nil
}
