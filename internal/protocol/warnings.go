// This file prevents that warnings are shown twice in one run. `terraform apply` starts the
// provider once to plan and once more to apply, and plans each resource both times, so the
// warnings would be shown before and after the question whether to apply. The processes of a run
// have the same parent, by which the later one finds the warnings of the earlier one.

package protocol

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// WarnOnce returns a server that shows each warning once in a run. It is for processes that
// Terraform starts and ends with a step of its run, and not for those that serve several runs.
func WarnOnce(s *Server) tfprotov6.ProviderServer {
	return &warningOnce{providerServer: s, file: runFile(parentProcess())}
}

// warningOnce is a server that leaves out the warnings that an earlier process of its run
// has returned.
type warningOnce struct {
	providerServer
	file string // the file of the run; "" if there is none

	mu      sync.Mutex
	read    bool
	earlier map[string]int // how often the earlier processes have returned each warning
	block   []byte         // the provider block, which distinguishes aliases
	held    []string       // the warnings of the provider block, until it is certain that they are shown
}

// forgotten is the age from which files are removed, because no run will read them again.
const forgotten = 24 * time.Hour

// runFile returns the file of the run that a process belongs to, or "" if there is none.
func runFile(parent string) string {
	cache, err := os.UserCacheDir()
	if err != nil || parent == "" {
		return ""
	}
	dir := filepath.Join(cache, "terraform-provider-enms", "warnings")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	old, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range old {
		if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > forgotten {
			_ = os.Remove(file) // another process may have removed it
		}
	}
	return filepath.Join(dir, digest(parent))
}

// digest returns the form in which a file holds a warning.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ConfigureProvider leaves out earlier warnings about the provider block. They were certainly
// shown only if a plan of the same process was shown, because `terraform destroy` first makes a
// plan whose warnings it drops.
func (w *warningOnce) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := w.providerServer.ConfigureProvider(ctx, req)
	if err != nil {
		return resp, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if req.Config != nil {
		w.block = req.Config.MsgPack
	}
	resp.Diagnostics, w.held = w.withoutEarlier("", resp.Diagnostics)
	return resp, nil
}

// PlanResourceChange leaves out warnings that the same plan has returned before. A deletion is
// planned only once.
func (w *warningOnce) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := w.providerServer.PlanResourceChange(ctx, req)
	if err != nil {
		return resp, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	deleted, _ := req.ProposedNewState.IsNull()
	if changes := deleted || !sameValue(resp.PlannedState, req.PriorState); changes {
		w.write(w.held)
		w.held = nil
	}
	if deleted {
		return resp, nil
	}
	var said []string
	resp.Diagnostics, said = w.withoutEarlier(req.TypeName, resp.Diagnostics)
	w.write(said)
	return resp, nil
}

func sameValue(x, y *tfprotov6.DynamicValue) bool {
	return x != nil && y != nil && bytes.Equal(x.MsgPack, y.MsgPack)
}

// withoutEarlier leaves out the warnings that an earlier process of the run has returned, each as
// often as that process did.
func (w *warningOnce) withoutEarlier(typ string, diags []*tfprotov6.Diagnostic) (left []*tfprotov6.Diagnostic, said []string) {
	w.remember()
	for _, d := range diags {
		key := digest(fmt.Sprintf("%q %q %q %q %q", w.block, typ, d.Summary, d.Detail, d.Attribute))
		switch {
		case d.Severity != tfprotov6.DiagnosticSeverityWarning:
		case w.earlier[key] > 0:
			w.earlier[key]--
			continue
		default:
			said = append(said, key)
		}
		left = append(left, d)
	}
	return left, said
}

// remember reads, once, the warnings that earlier processes of the run have returned.
func (w *warningOnce) remember() {
	if w.read || w.file == "" {
		return
	}
	w.read, w.earlier = true, map[string]int{}
	content, err := os.ReadFile(w.file)
	if err != nil {
		return // there are no earlier warnings
	}
	for line := range strings.Lines(string(content)) {
		w.earlier[strings.TrimSpace(line)]++
	}
}

// write stores the warnings that this process has returned. A warning that cannot be stored is
// shown again.
func (w *warningOnce) write(said []string) {
	if w.file == "" || len(said) == 0 {
		return
	}
	f, err := os.OpenFile(w.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	_, _ = f.WriteString(strings.Join(said, "\n") + "\n")
}
