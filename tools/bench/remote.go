// This file keeps states as a remote backend does. Terraform writes a local state file anew after
// each resource, all of it, which with a thousand resources takes longer than eNMS does; a remote
// state is written every 20 seconds.

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
)

// remoteStates is a server for Terraform's backend "http": one state for each path.
type remoteStates struct {
	*httptest.Server

	mu     sync.Mutex
	states map[string][]byte
}

func serveStates() *remoteStates {
	s := &remoteStates{states: map[string][]byte{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	return s
}

func (s *remoteStates) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Method {
	case http.MethodGet:
		state, ok := s.states[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(state)
	case http.MethodPost:
		state, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.states[r.URL.Path] = state
	default:
		http.Error(w, r.Method, http.StatusMethodNotAllowed)
	}
}

// use makes a directory keep its state here. It must not have a configuration yet: with one,
// terraform init would look for its providers in a registry.
func (s *remoteStates) use(ctx context.Context, b *bench, dir string) error {
	backend := fmt.Sprintf("terraform {\n  backend \"http\" {\n    address = %q\n  }\n}\n", s.URL+"/"+filepath.Base(dir))
	if err := os.WriteFile(filepath.Join(dir, "backend.tf"), []byte(backend), 0o600); err != nil {
		return err
	}
	result, err := b.shop.Run(ctx, dir, nil, "init", "-no-color")
	if err == nil && result.Code != 0 {
		err = fmt.Errorf("init ended with the exit code %d:\n%s", result.Code, result.Output())
	}
	return err
}
