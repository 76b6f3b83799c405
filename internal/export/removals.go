// This file removes objects from the existing code that are no longer on the server.

package export

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
)

// fileRemoved is the name of the file with removed blocks.
const fileRemoved = "removed.tf"

// removeGone removes objects that are gone, by the option -gone.
func (u *update) removeGone() error {
	blocks := u.goneBlocks()
	if u.options.gone == goneKeep {
		for _, address := range slices.Sorted(maps.Keys(u.gone)) {
			u.left = append(u.left, finding{u.positionOf(address) + " " + address, "The server has it no more. It is kept, as -gone keep says."})
		}
		return nil
	}
	blocks, err := u.withoutReferences(blocks)
	if err != nil {
		return err
	}
	for _, address := range slices.Sorted(maps.Keys(blocks)) {
		r := blocks[address]
		u.changed(existing.Position(r.Block.DefRange()), "%s is gone", address)
		u.forget(func(gone string) bool { return gone == address || strings.HasPrefix(gone, address+"[") })
		r.File.DeleteBlock(r.Block)
		if u.options.gone == goneRemoved {
			u.code.File(fileRemoved).Append("removed {\n  from = " + address + "\n\n  lifecycle {\n    destroy = false\n  }\n}\n")
		}
	}
	for _, i := range importsOf(u.code) {
		base, _, _ := strings.Cut(i.to, "[")
		if blocks[base] != nil || u.gone[i.to] && i.to != base {
			i.file.DeleteBlock(i.block)
		}
	}
	return nil
}

// positionOf returns the position of the block of an instance.
func (u *update) positionOf(address string) string {
	base, _, _ := strings.Cut(address, "[")
	if r := u.code.Resource(base); r != nil {
		return existing.Position(r.Block.DefRange())
	}
	return base
}

// goneBlocks returns the blocks whose instances are all gone. In other blocks, it removes the
// entries of for_each that are gone.
func (u *update) goneBlocks() map[string]*existing.Resource {
	blocks := map[string]*existing.Resource{}
	for _, r := range u.code.Resources {
		all, known := u.scope.Instances(r)
		keys := map[string]bool{}
		for _, in := range all {
			if u.gone[in.Address()] {
				keys[in.Key()] = true
			}
		}
		switch {
		case !known || len(keys) == 0:
		case len(keys) == len(all):
			blocks[r.Address()] = r
		case u.options.gone != goneKeep:
			u.removeEntries(r, keys)
		}
	}
	for _, r := range u.goneLayouts() {
		blocks[r.Address()] = r
	}
	return blocks
}

// removeEntries removes entries of for_each.
func (u *update) removeEntries(r *existing.Resource, keys map[string]bool) {
	each, literal := u.scope.Each(r)
	if !literal {
		u.refused(existing.Position(r.Block.DefRange())+" "+r.Address(), "The server has "+strings.Join(slices.Sorted(maps.Keys(keys)), ", ")+" no more. It stays, because for_each is not written as an object.", nil)
		return
	}
	each.RemoveMembers(keys)
	u.forget(func(gone string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(keys)), func(key string) bool { return gone == r.InstanceAddress(key) })
	})
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		u.changed(each.Position(), "%s[%s] is gone", r.Address(), quoted(key))
	}
}

// withoutReferences returns the blocks to which no other block refers any longer.
func (u *update) withoutReferences(blocks map[string]*existing.Resource) (map[string]*existing.Resource, error) {
	addresses := map[string]bool{}
	for address := range blocks {
		addresses[address] = true
	}
	for _, r := range u.code.Resources {
		if !addresses[r.Address()] {
			r.RemoveDependsOn(addresses)
		}
	}
	edited := map[string][]byte{}
	for _, f := range u.code.Files() {
		content, err := f.Bytes()
		if err != nil {
			return nil, err
		}
		edited[f.Name] = content
	}
	code, err := existing.Parse(edited, u.code.Content)
	if err != nil {
		return nil, err
	}
	for {
		at := referredTo(code, addresses)
		if len(at) == 0 {
			return blocks, nil
		}
		for _, address := range slices.Sorted(maps.Keys(at)) {
			u.left = append(u.left, finding{u.positionOf(address) + " " + address, "The server has it no more. It is kept, because " + at[address] + " refers to it."})
			delete(blocks, address)
			delete(addresses, address)
		}
	}
}

// referredTo returns the addresses to which other blocks refer, with the position of the
// reference.
func referredTo(code *existing.Directory, addresses map[string]bool) map[string]string {
	at := map[string]string{}
	for _, f := range code.Files() {
		for _, b := range f.Body.Blocks {
			if b.Type == "import" || b.Type == "removed" || b.Type == "moved" || b.Type == "resource" && addresses[strings.Join(b.Labels, ".")] {
				continue
			}
			_ = hclsyntax.VisitAll(b.Body, func(node hclsyntax.Node) hcl.Diagnostics {
				if expr, is := node.(*hclsyntax.ScopeTraversalExpr); is && addresses[existing.AddressOf(expr.Traversal)] {
					at[existing.AddressOf(expr.Traversal)] = existing.Position(expr.SrcRange)
				}
				return nil
			})
		}
	}
	return at
}

// deleteTexts deletes files in code/ to which the code no longer refers.
func (u *update) deleteTexts(edited map[string][]byte) error {
	code, err := existing.Parse(edited, u.code.Content)
	if err != nil {
		return err
	}
	after := code.Scope(nil).FilesNamed()
	for name := range u.scope.FilesNamed() {
		if after[name] > 0 || !strings.HasPrefix(name, "code/") || u.files[name] != nil {
			continue
		}
		named := false
		for _, content := range edited {
			named = named || strings.Contains(string(content), path.Base(name))
		}
		if _, err := u.code.Content(name); !named && err == nil {
			u.files[name] = nil
		}
	}
	return nil
}

// forget removes objects from the record that are gone and were removed from the code.
func (u *update) forget(is func(address string) bool) {
	maps.DeleteFunc(u.goneAs, func(address string, _ recordKey) bool { return is(address) })
}
