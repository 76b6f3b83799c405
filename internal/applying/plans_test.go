// Tests of what plans know of each other.

package applying

import "testing"

// eNMS deletes the dependents of a replaced instance: all by the policy "cascade", else those that are
// useless without it.
func TestPlans_replaced(t *testing.T) {
	t.Parallel()
	var p Plans
	cascading, other := Reference{"device", "a"}, Reference{"service", "b"}
	p.Replace(cascading, true)
	p.Replace(cascading, false) // the second plan of the replacement
	p.Replace(other, false)
	for _, c := range []struct {
		ref           Reference
		allowed, want bool
	}{{cascading, false, true}, {cascading, true, true}, {other, false, false}, {other, true, true}, {Reference{"device", "b"}, true, false}} {
		if got := p.TakesAlong(c.ref, c.allowed); got != c.want {
			t.Errorf("%v, allowed %t: %t", c.ref, c.allowed, got)
		}
	}
}

// The last target of a task is told for one target, by the plan that deletes the last one, as often as Terraform
// makes that plan.
func TestTargets_isLast(t *testing.T) {
	t.Parallel()
	var targets Targets
	a, b, task := Reference{"device", "a"}, Reference{"device", "b"}, Reference{"task", "t"}
	targets.Deleted.Add(a)
	if targets.ClaimWarning(a, task, []Reference{a, b}) {
		t.Error("b is left")
	}
	targets.Deleted.Add(b)
	for range 2 {
		if !targets.ClaimWarning(b, task, []Reference{a, b}) || targets.ClaimWarning(a, task, []Reference{a, b}) {
			t.Error("the last target is not told for one target")
		}
	}
	if targets.ClaimWarning(a, Reference{"task", "none"}, nil) {
		t.Error("a task without targets loses none")
	}
}

func TestPlans_oncePerRun(t *testing.T) {
	t.Parallel()
	var p Plans
	if p.LookupsFailed() || !p.FailLookups() || p.FailLookups() || !p.LookupsFailed() {
		t.Error("one failure is not the first, or more than one is")
	}
	if before := p.IsApplying(); before || func() bool { p.StartApply(); return !p.IsApplying() }() {
		t.Error("the apply began before, or not at all")
	}
	a := Name{"node", "a"}
	if before := p.Planned.Has(a); before || func() bool { p.Planned.Add(a); return !p.Planned.Has(a) }() || p.Planned.Has(Name{"link", "a"}) {
		t.Error("a set does not have what was added to it")
	}
}
