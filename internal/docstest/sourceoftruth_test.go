// This file has what the tests of the modules netbox and nautobot have in common: a stand-in for
// either system, its devices, and the module that reads its answers.

package docstest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// sourceOfTruth is a stand-in for another system with devices, and a workspace of the module that
// reads its answers. What incomplete, empty and refused answers do is in the modules' own tests.
type sourceOfTruth struct {
	t       *testing.T
	enms    *acctest.Server
	w       *acctest.Workspace
	total   int // how many devices there are at first
	removed int // how many of the last devices are deleted
}

// leftOut is how many of the devices eNMS cannot have: the fourth one has no name, and the fifth
// no address.
const leftOut = 2

func newSourceOfTruth(t *testing.T, module string, total int) *sourceOfTruth {
	t.Helper()
	s := acctest.NewServer(t)
	return &sourceOfTruth{t: t, enms: s, w: newModuleWorkspace(t, s, module), total: total}
}

// count returns how many devices there are.
func (n *sourceOfTruth) count() int { return n.total - n.removed }

// sourceDevice is a device in the words of no system. Its name and its address may be nil.
type sourceDevice struct {
	name, address any
	site          int
	siteName      string
}

// device returns a device by its index.
func (n *sourceOfTruth) device(i int) sourceDevice {
	site := i % 12
	d := sourceDevice{fmt.Sprintf("R%04d", i), fmt.Sprintf("10.1.%d.%d/24", i/250, i%250+1), site, fmt.Sprintf("Site%02d", site)}
	switch i {
	case 3:
		d.name = nil
	case 4:
		d.address = nil
	}
	return d
}

// jsonOf returns an answer.
func (n *sourceOfTruth) jsonOf(v any) string {
	n.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		n.t.Fatal(err)
	}
	return string(raw)
}

// set writes the variables of the module where Terraform finds them.
func (n *sourceOfTruth) set(variables map[string]any) {
	n.t.Helper()
	writeFile(n.t, filepath.Join(n.w.Dir, "terraform.tfvars.json"), n.jsonOf(variables))
}

// has checks how many instances of a type eNMS has.
func (n *sourceOfTruth) has(typ string, want int) {
	n.t.Helper()
	rows, err := n.enms.Client.Search(n.enms.Context(), typ, []string{"name"}, map[string]any{})
	if err != nil {
		n.t.Fatal(err)
	}
	if len(rows) != want {
		n.t.Errorf("eNMS has %d of type %s, want %d", len(rows), typ, want)
	}
}

// says runs a command, which ends with an exit code and says some words.
func (n *sourceOfTruth) says(exitCode int, words string, command ...string) {
	n.t.Helper()
	code, out := n.w.Run(append(command, "-no-color")...)
	if text := unwrapped(out); code != exitCode || !strings.Contains(text, words) {
		n.t.Errorf("%s ended with %d and does not say %q:\n%s", command, code, words, text)
	}
}

// refusesToChange checks that neither a plan nor an apply does anything, and that both say why.
func (n *sourceOfTruth) refusesToChange(words string) {
	n.t.Helper()
	n.says(1, words, "plan")
	n.says(1, words, "apply", "-auto-approve")
}

// unwrapped returns what Terraform wrote without its frames and line ends.
func unwrapped(out string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " ")
}
