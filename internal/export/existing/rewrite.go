// This file changes the values of expressions. It keeps as much of an expression as possible:
// equal members of objects and lists, references, and calls of file(), whose files it changes
// instead.

package existing

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Equality decides whether two values are the same. They are JSON values; nil is a member that is
// not written.
type Equality struct {
	Same func(x, y any) bool
	Of   func(member string) Equality // the equality for a member of an object; nil if it is the same
}

func (e Equality) of(member string) Equality {
	if e.Of == nil {
		return e
	}
	return e.Of(member)
}

// Refusal is a place where a value could not be written.
type Refusal struct {
	Position string
	Why      string
	Wanted   any
	Tag      any // the Tag of the rewriter at that time
}

// Rewriter rewrites expressions of a directory.
type Rewriter struct {
	// Texts are the changed files to which expressions refer, by name.
	Texts    map[string][]byte
	Refusals []Refusal
	Tag      any // set by the caller, to identify what is being rewritten

	directory *Directory
	used      map[string]int // how many calls of file() name a file
	shared    map[hcl.Range]*sharedExpression
}

// sharedExpression is an expression that several instances share. It is rewritten if all of them
// want the same value.
type sharedExpression struct {
	place  Place
	from   Place
	wanted []any
	tags   []any
	same   Equality
}

// NewRewriter returns a rewriter of a directory.
func NewRewriter(d *Directory, s *Scope) *Rewriter {
	r := &Rewriter{Texts: map[string][]byte{}, directory: d, shared: map[hcl.Range]*sharedExpression{}}
	r.used = s.filesNamed(d.Files())
	return r
}

// Rewrite changes the value of a place to that of another one, and reports whether they differed.
func (r *Rewriter) Rewrite(p, from Place, same Equality) (changed bool) {
	wanted, known := from.Value()
	if !known {
		return false
	}
	now, known := p.Value()
	if known && same.Same(now, wanted) {
		return false
	}
	if p.each && p.whole == nil {
		return r.share(p, from, wanted, same)
	}
	if p.IsObject() && from.IsObject() {
		return r.rewriteObject(p, from, same)
	}
	if !known {
		r.refuse(p, "it has no value that is known without a plan", wanted)
		return false
	}
	list, isList := p.expr.(*hclsyntax.TupleConsExpr)
	other, isOther := from.expr.(*hclsyntax.TupleConsExpr)
	if isList && isOther && len(list.Exprs) > 0 && len(other.Exprs) > 0 {
		return r.rewriteList(p, list, from, other, same)
	}
	if name, is := p.scope.fileOf(p.expr, p.in); is {
		return r.rewriteFile(p, name, wanted)
	}
	if !isReplaceable(p.expr) {
		r.refuse(p, "it is more than a value or a reference", wanted)
		return false
	}
	p.file.Replace(p.expr.Range(), r.text(p, from, wanted))
	return true
}

func (r *Rewriter) refuse(p Place, why string, wanted any) {
	r.Refusals = append(r.Refusals, Refusal{p.Position(), why, wanted, r.Tag})
}

// share records the value that an instance wants for an expression that it shares.
func (r *Rewriter) share(p, from Place, wanted any, same Equality) bool {
	at := p.expr.Range()
	if r.shared[at] == nil {
		r.shared[at] = &sharedExpression{place: p, from: from, same: same}
	}
	r.shared[at].wanted, r.shared[at].tags = append(r.shared[at].wanted, wanted), append(r.shared[at].tags, r.Tag)
	return true
}

// Finish rewrites the shared expressions, after Rewrite was called for all instances.
func (r *Rewriter) Finish() {
	ranges := slices.SortedFunc(maps.Keys(r.shared), func(x, y hcl.Range) int {
		return strings.Compare(fmt.Sprintf("%s:%09d", x.Filename, x.Start.Byte), fmt.Sprintf("%s:%09d", y.Filename, y.Start.Byte))
	})
	for _, at := range ranges {
		e := r.shared[at]
		instances, known := e.place.scope.Instances(e.place.in.Resource)
		all := known && len(instances) == len(e.wanted) && !slices.ContainsFunc(e.wanted, func(x any) bool { return !e.same.Same(e.wanted[0], x) })
		if !all || usesEach(e.place.expr) {
			for n, tag := range e.tags {
				r.Tag = tag
				r.refuse(e.place, "several instances share it", e.wanted[n])
			}
			continue
		}
		alone := e.place
		alone.each = false
		r.Tag = e.tags[0]
		r.Rewrite(alone, e.from, e.same)
	}
}

// usesEach reports whether an expression refers to each.
func usesEach(expr hclsyntax.Expression) bool {
	return slices.ContainsFunc(expr.Variables(), func(t hcl.Traversal) bool { return t.RootName() == "each" })
}

// rewriteObject rewrites an object member by member.
func (r *Rewriter) rewriteObject(p, from Place, same Equality) (changed bool) {
	wanted, known := from.Members()
	have, all := p.Members()
	if !known || !all {
		x, _ := from.Value()
		r.refuse(p, "keys of the object have no value that is known without a plan", x)
		return false
	}
	if len(wanted) == 0 || len(have) == 0 {
		x, _ := from.Value()
		p.file.Replace(p.expr.Range(), r.text(p, from, x))
		return true
	}
	gone, before := map[string]bool{}, []string{}
	for _, name := range have {
		x, known := p.Member(name).Value()
		if !slices.Contains(wanted, name) && !(known && same.of(name).Same(x, nil)) {
			gone[name] = true
		}
	}
	if len(gone) == len(have) {
		x, _ := from.Value()
		p.file.Replace(p.expr.Range(), r.text(p, from, x))
		return true
	}
	if len(gone) > 0 {
		p.RemoveMembers(gone)
		changed = true
	}
	for _, name := range wanted {
		if member := p.Member(name); member.IsWritten() {
			changed = r.Rewrite(member, from.Member(name), same.of(name)) || changed
		} else {
			kept := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return gone[name] })
			p.AddMember(from.Member(name), kept)
			changed = true
		}
		before = append([]string{name}, before...)
	}
	return changed
}

// rewriteList rewrites a list member by member. If the order is irrelevant according to same,
// remaining members keep their places, and new ones are added at the end.
func (r *Rewriter) rewriteList(p Place, list *hclsyntax.TupleConsExpr, from Place, other *hclsyntax.TupleConsExpr, same Equality) bool {
	have, _ := p.Value()
	wanted, _ := from.Value()
	old, _ := have.([]any)
	members, _ := wanted.([]any)
	if anyOrder := same.Same([]any{"a", "b"}, []any{"b", "a"}); !anyOrder && len(old) != len(members) {
		p.file.Replace(list.SrcRange, r.text(p, from, wanted))
		return true
	} else if !anyOrder {
		for n := range members {
			r.Rewrite(p.element(list, n), from.element(other, n), same)
		}
		return true
	}
	var gone, added []int
	for n, x := range old {
		if !slices.ContainsFunc(members, func(y any) bool { return same.Same(x, y) }) {
			gone = append(gone, n)
		}
	}
	for n, y := range members {
		if !slices.ContainsFunc(old, func(x any) bool { return same.Same(x, y) }) {
			added = append(added, n)
		}
	}
	if len(gone) == len(old) {
		p.file.Replace(list.SrcRange, r.text(p, from, wanted))
		return true
	}
	p.mergeList(elements(list), gone, added, func(n int) string { return from.element(other, n).Text() })
	return true
}

// mergeList removes members of a list, of which at least one must remain, and adds others.
// Members on lines of their own are removed together with their comments; on a single line, new
// members replace removed ones.
func (p Place) mergeList(items []span, gone, added []int, text func(n int) string) {
	lines := !slices.ContainsFunc(items, func(i span) bool { return !p.file.beginsLine(i.start) || !p.file.endsLine(i.end) })
	for !lines && len(gone) > 0 && len(added) > 0 {
		p.file.replace(items[gone[0]].start, items[gone[0]].end, text(added[0]))
		gone, added = gone[1:], added[1:]
	}
	if len(gone) > 0 {
		p.file.removeItems(items, func(n int) bool { return slices.Contains(gone, n) })
	}
	last := items[len(items)-1]
	for n, item := range items {
		if lines && !slices.Contains(gone, n) {
			last = item
		}
	}
	if lines && len(added) > 0 && p.file.comma(last, false) == "" {
		p.file.replace(last.end, last.end, ",")
	}
	for _, n := range added {
		if lines {
			p.file.replace(p.file.lineEnd(last.end), p.file.lineEnd(last.end), "\n"+p.file.indentation(last.start)+text(n)+",")
		} else {
			p.file.replace(last.end, last.end, ", "+text(n))
		}
	}
}

// element returns the place of a member of a list.
func (p Place) element(list *hclsyntax.TupleConsExpr, n int) Place {
	e := p
	e.expr, e.block, e.whole = list.Exprs[n], nil, nil
	e.each = false
	return e
}

// rewriteFile changes the file whose content is the value of an expression.
func (r *Rewriter) rewriteFile(p Place, name string, wanted any) bool {
	text, is := wanted.(string)
	if !is {
		r.refuse(p, "it is the content of a file, and eNMS has no string", wanted)
		return false
	}
	if r.used[name] > 1 {
		r.refuse(p, "the file "+name+" is used in several places", wanted)
		return false
	}
	if before, err := r.directory.Content(name); err == nil && bytes.Contains(before, []byte("\r\n")) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	r.Texts[name] = []byte(text)
	return true
}

// text returns the expression of from in a form that can be written at p.
func (r *Rewriter) text(p, from Place, wanted any) string {
	if name, is := from.scope.fileOf(from.expr, from.in); is {
		if _, err := r.directory.Content(name); err == nil { // another expression uses a file with this name
			return literal(wanted)
		}
		if content, err := from.scope.directory.Content(name); err == nil {
			r.Texts[name] = content
		}
		return from.Text()
	}
	text := from.Text()
	if isHeredoc(text) && strings.TrimSpace(p.file.rest(p.expr.Range().End.Byte)) != "" {
		return literal(wanted)
	}
	return text
}

// IsReplaceable reports whether nothing is lost if the place gets another value, or none.
func (p Place) IsReplaceable() bool { return isReplaceable(p.expr) && !(p.each && p.whole == nil) }

// isReplaceable reports whether an expression is only a value or a reference, so that nothing is
// lost if it is replaced.
func isReplaceable(expr hclsyntax.Expression) bool {
	switch expr := expr.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.TemplateExpr, *hclsyntax.TemplateWrapExpr, *hclsyntax.ScopeTraversalExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.TupleConsExpr:
		return !hasCalls(expr)
	case *hclsyntax.UnaryOpExpr:
		return isReplaceable(expr.Val)
	case *hclsyntax.ParenthesesExpr:
		return isReplaceable(expr.Expression)
	case *hclsyntax.FunctionCallExpr: // the exporter writes these for strings that do not end with a newline, or whose lines end with CR LF
		return (expr.Name == "chomp" || expr.Name == "replace") && len(expr.Args) > 0 && len(expr.Variables()) == 0
	}
	return false
}

// hasCalls reports whether an expression contains function calls or conditions.
func hasCalls(expr hclsyntax.Expression) (has bool) {
	_ = hclsyntax.VisitAll(expr, func(node hclsyntax.Node) hcl.Diagnostics {
		switch node := node.(type) {
		case *hclsyntax.FunctionCallExpr:
			has = has || node.Name != "chomp" && node.Name != "replace" && node.Name != "file"
		case *hclsyntax.ConditionalExpr, *hclsyntax.ForExpr, *hclsyntax.SplatExpr, *hclsyntax.BinaryOpExpr:
			has = true
		}
		return nil
	})
	return has
}
