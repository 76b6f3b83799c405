// This file finds resources of one plan that create the same object. Terraform plans them in
// any order, so the one that comes second tells.

package lifecycle

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Fingerprint stands for the configuration of a resource. Terraform does not tell a provider
// which resource it plans, and plans one that is replaced twice: two plans with one
// fingerprint count as plans of one resource.
type Fingerprint [sha256.Size]byte

// FingerprintOf returns the fingerprint of a resource of a type.
func FingerprintOf(typ string, config []byte) Fingerprint {
	return sha256.Sum256(append([]byte(typ+"\n"), config...))
}

// plannedCreations are the objects that the plans of a run create. The zero value is ready
// for use.
type plannedCreations struct {
	mu      sync.Mutex
	byName  map[objectKey]Fingerprint
	applied bool // something was applied: what is planned now was planned before
}

// note notes that a resource creates an object, and reports whether another resource does,
// too.
func (p *plannedCreations) note(key objectKey, of Fingerprint) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return false
	}
	if first, noted := p.byName[key]; noted {
		return first != of
	}
	if p.byName == nil {
		p.byName = map[objectKey]Fingerprint{}
	}
	p.byName[key] = of
	return false
}

// apply notes that the plan is over.
func (p *plannedCreations) apply() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.applied, p.byName = true, nil
}

// checkCreation refuses the plan of a creation if another resource of the same plan creates
// an object with that name. Nothing is known as long as the name or the type is not.
func (r *instances) checkCreation(planned kind.Values, of Fingerprint) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if r.provider == nil || name == "" || r.kind.Namespace == "" || !r.provider.creations.note(objectKey{r.kind.Namespace, name}, of) {
		return nil
	}
	diags.AddAttributeError(path.Root(kind.RowName), "Duplicate name",
		fmt.Sprintf("Another resource of the same configuration creates an object named %q, too, and eNMS keeps the names of both in one place. Keep one of the two, or give one of them another name.", name))
	return diags
}
