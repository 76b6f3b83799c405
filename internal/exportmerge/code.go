// This file reads the configuration of a directory and finds blocks in it.

package exportmerge

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Code is the configuration of a directory and of the modules in its directory `modules`.
type Code struct {
	Unread []string // the files that are left alone

	files    map[string]*file
	readFile func(name string) ([]byte, error) // reads a file of the directory that is not in files, such as a script
	index    *index                            // the index of all blocks; nil after an edit
	own      map[string]bool                   // the prefixes of the addresses in modules that people have written (findOwnModules)
}

// index has the blocks of all files: in order, by their ids, and those of resources by address.
type index struct {
	blocks          []fileBlock
	byID, byAddress map[string]fileBlock
	providers       map[string]bool   // the prefixes of the addresses in modules to which providers are passed
	moved           map[string]string // to in `moved` blocks, by from
}

// file is a file of configuration. Its text has LF at the ends of lines.
type file struct {
	name string
	text []byte
	body *hclsyntax.Body
	crlf bool   // its lines end in CRLF
	was  []byte // its content before the merge
	code *Code

	digester
	recorded map[string]string // the addresses in the record, by those in the code, of what people have moved
}

// fileBlock is a block and the file that contains it.
type fileBlock struct {
	file  *file
	block *hclsyntax.Block
}

// The files in which a merge writes blocks of its own.
const (
	fileImports = "imports.tf"
	fileRemoved = "removed.tf"
	fileMoved   = "moved.tf"
)

// Read reads the configuration of a directory, without hidden files, as Terraform does. Unread has the
// names of files in JSON and of those that override others, which are left alone. It returns an error
// with the position if a file is not valid.
func Read(dir fs.FS) (*Code, error) {
	c := &Code{files: map[string]*file{}, readFile: func(name string) ([]byte, error) { return fs.ReadFile(dir, name) }}
	for _, pattern := range []string{"*.tf", "modules/*/*.tf", "*.tf.json", "modules/*/*.tf.json"} {
		names, err := fs.Glob(dir, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			switch base := path.Base(name); {
			case strings.HasPrefix(base, "."):
				continue
			case base == "override.tf", strings.HasSuffix(base, "_override.tf"), strings.HasSuffix(base, ".json"):
				c.Unread = append(c.Unread, name)
				continue
			}
			content, err := fs.ReadFile(dir, name)
			if err == nil {
				err = c.add(name, content)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// parse parses the files of an export.
func parse(files map[string][]byte) (*Code, error) {
	c := &Code{files: map[string]*file{}, readFile: func(name string) ([]byte, error) {
		if content, is := files[name]; is {
			return content, nil
		}
		return nil, fs.ErrNotExist
	}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".tf") {
			if err := c.add(name, files[name]); err != nil {
				return nil, err
			}
		}
	}
	return c, nil
}

// add parses a file of configuration and adds it.
func (c *Code) add(name string, content []byte) error {
	f := &file{code: c, name: name, was: content}
	text, crlf := withLF(content)
	if err := f.set(text); err != nil {
		return err
	}
	c.files[name], f.crlf = f, crlf
	return nil
}

// withLF returns the content of a file with LF at the ends of lines, as an export writes it: an editor, or git, may have
// changed them to CRLF. crlf says whether some were that.
func withLF(content []byte) (text []byte, crlf bool) {
	text = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	return text, len(text) < len(content)
}

// withCRLF returns a text with CRLF in place of LF.
func withCRLF(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }

// set replaces the text of the file, and parses it. After that, blocks of this file that were looked up before are wrong.
func (f *file) set(text []byte) error {
	parsed, diags := hclsyntax.ParseConfig(text, f.name, hcl.InitialPos)
	if diags.HasErrors() {
		return fmt.Errorf("%s: %s", position(*diags[0].Subject), diags[0].Detail)
	}
	body, is := parsed.Body.(*hclsyntax.Body)
	if !is {
		return errors.New(f.name + " is not configuration")
	}
	f.text, f.body, f.code.index = text, body, nil
	return nil
}

// content returns the text of the file as it is to be written, or nil if nothing is left in the file.
func (f *file) content() []byte {
	switch {
	case len(bytes.TrimSpace(f.text)) == 0:
		return nil
	case f.crlf:
		return withCRLF(f.text)
	}
	return f.text
}

// splice replaces the text between two offsets.
func (f *file) splice(from, to int, with string) error {
	return f.set(slices.Concat(f.text[:from], []byte(with), f.text[to:]))
}

// source returns the text of a range.
func (f *file) source(r hcl.Range) string { return string(r.SliceBytes(f.text)) }

// lineStart and lineEnd return the offsets at which the line of an offset begins, and at which the next one begins.
func (f *file) lineStart(at int) int { return bytes.LastIndexByte(f.text[:at], '\n') + 1 }

func (f *file) lineEnd(at int) int {
	if n := bytes.IndexByte(f.text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(f.text)
}

// indent returns the spaces and tabs with which the line of an offset begins.
func (f *file) indent(at int) string {
	line := f.text[f.lineStart(at):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// isBlank reports whether there is nothing but spaces between two offsets.
func (f *file) isBlank(from, to int) bool { return len(bytes.TrimSpace(f.text[from:to])) == 0 }

// indexed returns the index of the blocks as the files are now. Of several blocks with the same id, it has
// the first: either Terraform refuses the others, or an export writes no such blocks, such as locals.
func (c *Code) indexed() *index {
	if c.index != nil {
		return c.index
	}
	c.index = &index{byID: map[string]fileBlock{}, byAddress: map[string]fileBlock{}, providers: map[string]bool{}, moved: map[string]string{}}
	addFirst := func(to map[string]fileBlock, name string, p fileBlock) {
		if _, is := to[name]; !is && name != "" {
			to[name] = p
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		for _, b := range c.files[name].body.Blocks {
			p := fileBlock{c.files[name], b}
			c.index.blocks = append(c.index.blocks, p)
			addFirst(c.index.byID, p.id(), p)
			addFirst(c.index.byAddress, p.address(), p)
			if b.Type == "module" && len(b.Labels) == 1 && p.attribute("providers") != nil {
				c.index.providers["module."+b.Labels[0]+"."] = true
			}
			if b.Type == "moved" {
				c.index.moved[p.from()] = modulePrefix(p.file.name) + p.bareText("to")
			}
		}
	}
	return c.index
}

// blocks returns all blocks, in the order of the files and of their lines.
func (c *Code) blocks() []fileBlock { return c.indexed().blocks }

// each edits one wanted block after the other until none is left: an edited block must no longer be wanted. It
// searches again after each edit, which moves the blocks behind it.
func (c *Code) each(wanted func(fileBlock) bool, edit func(fileBlock) error) error {
	for {
		n := slices.IndexFunc(c.blocks(), wanted)
		if n < 0 {
			return nil
		}
		if err := edit(c.blocks()[n]); err != nil {
			return err
		}
	}
}

// find returns the block with an id, if there is one.
func (c *Code) find(id string) (p fileBlock, is bool) {
	p, is = c.indexed().byID[id]
	return p, is
}

// resource returns the block of the resource with an address. The address may contain the key of an instance.
func (c *Code) resource(address string) (p fileBlock, is bool) {
	base, _ := splitKey(address)
	p, is = c.indexed().byAddress[base]
	return p, is
}

// attribute returns an attribute of the block, or nil.
func (p fileBlock) attribute(name string) *hclsyntax.Attribute { return p.block.Body.Attributes[name] }

// bareText returns the text of the value of an attribute without comments, spaces and line ends, or "" if the
// block does not have the attribute.
func (p fileBlock) bareText(name string) string {
	if a := p.attribute(name); a != nil {
		return bareText(p.file, a.Expr.Range())
	}
	return ""
}

// id identifies a block among those of all files by its directory, its type and its labels. An import block
// has the address to which it imports, a `removed` block the one that it removes. Terraform allows several
// `terraform` blocks, and several `provider` blocks of one provider. Exports write only those that have
// required_providers and no alias; the others get an id that no block of an export has.
func (p fileBlock) id() string {
	parts := slices.Concat([]string{p.block.Type}, p.block.Labels)
	switch p.block.Type {
	case "import", "removed":
		parts = append(parts, p.bareText("to")+p.bareText("from"))
	case "provider":
		if p.attribute("alias") != nil {
			parts = append(parts, "alias", p.bareText("alias"))
		}
	case "terraform":
		if !slices.ContainsFunc(p.block.Body.Blocks, func(b *hclsyntax.Block) bool { return b.Type == "required_providers" }) {
			parts = append(parts, "without required_providers")
		}
	}
	return p.file.id(strings.Join(parts, " "))
}

// id returns the id of a block in the directory of the file.
func (f *file) id(block string) string {
	if dir := path.Dir(f.name); dir != "." {
		return dir + ": " + block
	}
	return block
}

// address returns the address of a resource's block; "" for others.
func (p fileBlock) address() string {
	if p.block.Type != "resource" || len(p.block.Labels) != 2 {
		return ""
	}
	return modulePrefix(p.file.name) + strings.Join(p.block.Labels, ".")
}

// called returns the name of the block in messages.
func (p fileBlock) called() string {
	if address := p.address(); address != "" {
		return address
	}
	return p.id()
}

// imported returns the address to which an import block imports, or "" for other blocks.
func (p fileBlock) imported() string {
	if p.block.Type != "import" {
		return ""
	}
	return p.bareText("to")
}

// from returns the address in the attribute from of a `moved` or `removed` block.
func (p fileBlock) from() string { return modulePrefix(p.file.name) + p.bareText("from") }

// modulePrefix returns the prefix of the addresses of resources in a file: "module.NAME." below modules/NAME,
// and otherwise "".
func modulePrefix(name string) string {
	if rest, is := strings.CutPrefix(name, "modules/"); is {
		label, _, _ := strings.Cut(rest, "/")
		return "module." + label + "."
	}
	return ""
}

// blockID returns the id (fileBlock.id) of the block with an address without a key, such as "resource enms_device x", or
// "modules/site: resource enms_device x" for module.site.enms_device.x.
func blockID(address string) string {
	dir, parts := "", strings.Split(address, ".")
	if len(parts) == 4 { // module.site.enms_device.x
		dir, parts = "modules/"+parts[1]+": ", parts[2:]
	}
	return dir + "resource " + strings.Join(parts, " ")
}

// splitKey splits the address of an instance into that of its block and its key, in brackets.
func splitKey(address string) (block, key string) {
	block, _, _ = strings.Cut(address, "[")
	return block, address[len(block):]
}

// append writes a block at the end of a file, and makes the file if there is none.
func (c *Code) append(name, text string) error {
	f := c.files[name]
	if f == nil {
		f = &file{code: c, name: name, body: &hclsyntax.Body{}}
		c.files[name] = f
	}
	if len(f.text) > 0 {
		text = "\n" + text
	}
	return f.splice(len(f.text), len(f.text), text+"\n")
}

// Lines returns how many lines of configuration there are, without those of the files for imports and removals.
func (c *Code) Lines() (n int) {
	for name, f := range c.files {
		if name != fileImports && name != fileRemoved {
			n += bytes.Count(f.text, []byte("\n"))
		}
	}
	return n
}

// position returns a file and a line, such as "main.tf:12".
func position(r hcl.Range) string { return r.Filename + ":" + strconv.Itoa(r.Start.Line) }

// bareText returns the text of a range without comments and line ends, and without spaces except for one
// between two words.
func bareText(f *file, r hcl.Range) string {
	tokens, _ := hclsyntax.LexExpression(r.SliceBytes(f.text), f.name, r.Start)
	var b strings.Builder
	word := false
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment || t.Type == hclsyntax.TokenNewline {
			continue
		}
		if word && t.Type == hclsyntax.TokenIdent {
			b.WriteByte(' ')
		}
		word = t.Type == hclsyntax.TokenIdent
		b.Write(t.Bytes)
	}
	return b.String()
}
