// This file keeps what one run has looked up in eNMS: types, names, and the members of workflows.
// Each is looked up once.

package lifecycle

import (
	"context"
	"strings"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// typeLookups remembers which types without a table eNMS has. Each is looked up once; concurrent
// callers wait for it. The zero value is ready to use.
type typeLookups struct{ asked sync.Map }

// missing reports whether eNMS lacks a type, and which of the known types that it has is the most
// similar one.
func (t *typeLookups) missing(ctx context.Context, client *enms.Client, known []string, typ string) (near string, missing bool) {
	if t.has(ctx, client, typ) || !t.has(ctx, client, "service") { // a server without services refuses every search
		return "", false
	}
	if near = nearestType(typ, known); near != "" && !t.has(ctx, client, near) {
		near = ""
	}
	return near, true
}

// has reports whether eNMS has a type, or cannot be asked.
func (t *typeLookups) has(ctx context.Context, client *enms.Client, typ string) bool {
	once, _ := t.asked.LoadOrStore(typ, sync.OnceValue(func() bool {
		has, err := client.HasType(ctx, typ)
		return has || err != nil
	}))
	return once.(func() bool)()
}

// serviceSuffix is the common suffix of the types of services.
const serviceSuffix = "_service"

// nearestType returns the known type with the most similar name, or "" if none is similar. The
// common suffix of services is ignored.
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
