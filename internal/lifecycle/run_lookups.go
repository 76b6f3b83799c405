// This file keeps what one run has looked up in eNMS: types, names, and the members of workflows.
// Each is looked up once.

package lifecycle

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// typeCache remembers which types without a table eNMS has. Each lookup is made once;
// concurrent callers wait for it. The zero value is ready to use.
type typeCache struct {
	mu     sync.Mutex
	has    map[string]bool
	own    map[string][]string // by base type, the site's own types that have instances
	silent bool                // eNMS could not be asked
}

// missing reports whether eNMS lacks a type that no table has, and which of its types has the
// most similar name. One request finds the site's own types that have instances; any other
// type takes a request of its own.
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
	if t.silent || slices.Contains(known, typ) { // the failure of these may also be the reason for that one
		return "", false
	}
	near = nearestType(typ, known)
	if has, _ := t.hasType(ctx, client, near); !has {
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

// ownTypes returns the site's own subtypes of a base type that have instances. It asks once. The
// caller holds the lock.
func (t *typeCache) ownTypes(ctx context.Context, client *enms.Client, base string, known []string) []string {
	own, asked := t.own[base]
	if asked || t.silent {
		return own
	}
	own, err := client.TypesInUse(ctx, base, known)
	t.own = put(t.own, base, own)
	t.silent = err != nil
	return own
}

// hasType asks once whether eNMS has a type. The caller holds the lock.
func (t *typeCache) hasType(ctx context.Context, client *enms.Client, typ string) (has bool, err error) {
	if has, asked := t.has[typ]; asked || typ == "" || t.silent {
		return has, nil
	}
	if has, err = client.HasType(ctx, typ); err != nil {
		t.silent = true
		return false, err
	}
	t.has = put(t.has, typ, has)
	return has, nil
}

// namesByType holds the existing names of types. Each type is asked for once in a run, and only
// if a name is missing.
type namesByType struct{ asked sync.Map }

// memberships holds the members that this process has found, by their containers. The zero value
// is ready to use.
type memberships struct{ of sync.Map }

// memberList are the members of one instance. Concurrent callers wait for one lookup.
type memberList struct {
	mu    sync.Mutex
	names map[string]bool // whether each name is a member, for the names that were looked up
}

func (m *memberships) list(container string) *memberList {
	list, _ := m.of.LoadOrStore(container, &memberList{names: map[string]bool{}})
	return list.(*memberList)
}

// occupants are the names of the instances in each container, by their places. The zero value
// is ready for use.
type occupants struct{ of sync.Map }

// occupantList are the instances in one container. Concurrent callers wait for one lookup.
type occupantList struct {
	mu    sync.Mutex
	names map[string]string // by their places; nil until eNMS was asked
}

func (o *occupants) list(container string) *occupantList {
	list, _ := o.of.LoadOrStore(container, &occupantList{})
	return list.(*occupantList)
}
