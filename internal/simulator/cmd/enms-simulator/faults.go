// The flag -faults: a server on a bad day.

package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// spoiled puts the faults of a file of rules in front of a server; without a
// file, none.
func spoiled(server http.Handler, file string) (http.Handler, error) {
	if file == "" {
		return server, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rules, err := faults.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return faults.New(server, rules...)
}
