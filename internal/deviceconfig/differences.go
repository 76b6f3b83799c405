// This file compares two configurations.

package deviceconfig

// Differences returns the lines in which two configurations differ, below the lines that they belong to: "+ "
// before a line that is only in the intended configuration, "- " before one that is only in the running one,
// two spaces before one that both have. Lines may stand in any order; those that match ignore are left out.
func Differences(intended, running string, ignore Patterns) []string {
	return differences(parse(intended, ignore), parse(running, ignore), "")
}

// node is a line of a configuration, with the lines that belong to it.
type node struct {
	text   string
	nodes  []*node // in order, without repetitions
	byText map[string]*node
}

// parse returns a node without text, to which all lines of a configuration belong. Ignored lines are left
// out, with the lines that belong to them.
func parse(config string, ignore Patterns) *node {
	lines, top := linesOf(config), &node{}
	ignored, nodes := ignore.matches(lines), make([]*node, len(lines))
	for i, l := range lines {
		switch {
		case ignored[i]:
		case l.above == none:
			nodes[i] = top.add(l.text)
		default:
			nodes[i] = nodes[l.above].add(l.text)
		}
	}
	return top
}

// add returns the node with a text that belongs to this one, which it creates if it is missing.
func (n *node) add(text string) *node {
	if known := n.byText[text]; known != nil {
		return known
	}
	if n.byText == nil {
		n.byText = map[string]*node{}
	}
	added := &node{text: text}
	n.nodes, n.byText[text] = append(n.nodes, added), added
	return added
}

// differences compares the lines that belong to two lines, and returns the lines to show: first those to
// remove, then the others in the order of the intended configuration.
func differences(intended, running *node, indent string) []string {
	changed := []string{}
	for _, line := range running.nodes {
		if intended.byText[line.text] == nil {
			changed = append(changed, line.all("- ", indent)...)
		}
	}
	for _, line := range intended.nodes {
		has := running.byText[line.text]
		if has == nil {
			changed = append(changed, line.all("+ ", indent)...)
		} else if below := differences(line, has, indent+"  "); len(below) > 0 {
			changed = append(append(changed, "  "+indent+line.text), below...)
		}
	}
	return changed
}

// all returns a line and those that belong to it, each with a mark.
func (n *node) all(mark, indent string) []string {
	texts := []string{mark + indent + n.text}
	for _, line := range n.nodes {
		texts = append(texts, line.all(mark, indent+"  ")...)
	}
	return texts
}
