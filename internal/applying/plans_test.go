// Tests of what plans know of each other.

package applying

import "testing"

// Whichever of two plans comes second finds the conflict.
func TestPlans_conflicts(t *testing.T) {
	t.Parallel()
	object := StateObject{Name{"node", "d"}, "1"}
	plans := map[string]func(p *Plans) bool{
		"create": func(p *Plans) bool { return p.Create(object.Name) },
		"adopt":  func(p *Plans) bool { return p.Adopt(object.Name) },
		"delete": func(p *Plans) bool { return p.Delete(object) },
		"rename": func(p *Plans) bool { return p.Rename(object) != Conflict{} },
		"keep": func(p *Plans) (found bool) {
			p.Keep(func() []KeptObject { return []KeptObject{{StateObject: object}} }, func(KeptObject, Conflict) { found = true })
			return found
		},
	}
	conflicts := map[[2]string]bool{
		{"create", "create"}: true, {"adopt", "keep"}: true, {"adopt", "rename"}: true,
		{"delete", "keep"}: true, {"delete", "rename"}: true, {"rename", "keep"}: true,
	}
	for first, one := range plans {
		for second, other := range plans {
			var p Plans
			if one(&p) {
				t.Errorf("%s alone is a conflict", first)
			}
			if want := conflicts[[2]string{first, second}] || conflicts[[2]string{second, first}]; other(&p) != want {
				t.Errorf("%s, then %s: want a conflict: %t", first, second, want)
			}
			p = Plans{}
			one(&p)
			if p.StartApply(); other(&p) {
				t.Errorf("%s, then %s while Terraform applies, is a conflict", first, second)
			}
		}
	}
}

// What is kept is listed only if another plan makes it matter.
func TestPlans_keptAreListedLate(t *testing.T) {
	t.Parallel()
	var p Plans
	listed := 0
	list := func() []KeptObject {
		listed++
		return []KeptObject{{StateObject: StateObject{Name{"node", "d"}, "1"}}}
	}
	none := func(object KeptObject, _ Conflict) { t.Errorf("%v is in a conflict", object) }
	p.Keep(list, none)
	if listed > 0 {
		t.Error("listed although nothing is deleted")
	}
	if !p.Delete(StateObject{Name{"node", "d"}, "1"}) || listed != 1 {
		t.Errorf("listed %d times, and no conflict with a deletion", listed)
	}
	p.Delete(StateObject{Name{"node", "e"}, "2"})
	p.Delete(StateObject{Name{"node", "d"}, ""})
	if listed != 1 {
		t.Errorf("listed %d times", listed)
	}
}

// eNMS deletes the dependents of a replaced instance: all by the policy "cascade", else those that are
// useless without it.
func TestPlans_replaced(t *testing.T) {
	t.Parallel()
	var p Plans
	cascading, other := Reference{"device", "a"}, Reference{"service", "b"}
	p.Replace(cascading, true)
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

// The last target of a task is told once, by the plan that deletes the last one.
func TestTargets_isLast(t *testing.T) {
	t.Parallel()
	var targets Targets
	a, b, task := Reference{"device", "a"}, Reference{"device", "b"}, Reference{"task", "t"}
	targets.Deleted.Add(a)
	if targets.IsLast(a, task, []Reference{a, b}) {
		t.Error("b is left")
	}
	targets.Deleted.Add(b)
	if !targets.IsLast(b, task, []Reference{a, b}) || targets.IsLast(a, task, []Reference{a, b}) {
		t.Error("the last target is not told once")
	}
	if targets.IsLast(a, Reference{"task", "none"}, nil) {
		t.Error("a task without targets loses none")
	}
}
