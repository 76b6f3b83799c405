// The flag -faults: a server on a bad day.

package main

import (
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
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rules, err := faults.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return faults.New(server, rules...)
}
