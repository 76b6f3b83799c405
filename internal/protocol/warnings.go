// This file keeps warnings from being shown twice in one run. `terraform apply` starts the
// provider once to plan and once more to apply, and asks for each plan both times; what is
// shown before the question whether to apply would come again after it. The processes of a
// run have one parent, by which the later one finds what the earlier one has said.

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

// WarnOnce returns a server for a process that Terraform starts and ends with the step of its
// run: each warning is shown once in a run. Whoever serves several runs from one process has
// no use for it.
func WarnOnce(s *Server) tfprotov6.ProviderServer {
	return &warningOnce{providerServer: s, file: runFile(parentProcess())}
}

// warningOnce is a server that leaves out the warnings that an earlier process of its run
// has returned.
type warningOnce struct {
	providerServer
	file string // of the run; "" where nothing can be kept

	mu      sync.Mutex
	read    bool
	earlier map[string]int // how often the earlier processes have returned each warning
	block   []byte         // of the provider, which tells aliases apart
	held    []string       // the warnings of the provider block, until they are known to be shown
}

// forgotten is how old a file is that no run will read again.
const forgotten = 24 * time.Hour

// runFile returns the file of the run that a process belongs to, "" when there is none.
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
			_ = os.Remove(file) // whoever comes first
		}
	}
	return filepath.Join(dir, digest(parent))
}

// digest returns a text as a file holds it.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ConfigureProvider leaves out what was said of the provider block. What it says is shown
// for certain only when a plan of this process is: for `terraform destroy`, Terraform makes
// one before, whose warnings it drops.
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

// PlanResourceChange leaves out what the same plan has said before. A deletion is planned
// once.
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

// withoutEarlier leaves out the warnings that an earlier process of the run has returned,
// each as often as that did, and tells what is left.
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

// remember reads what earlier processes of the run have returned, once.
func (w *warningOnce) remember() {
	if w.read || w.file == "" {
		return
	}
	w.read, w.earlier = true, map[string]int{}
	content, err := os.ReadFile(w.file)
	if err != nil {
		return // nothing was said
	}
	for line := range strings.Lines(string(content)) {
		w.earlier[strings.TrimSpace(line)]++
	}
}

// write keeps what this process has returned. A warning that cannot be kept is said again.
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
