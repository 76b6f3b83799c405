// This file declares a run of the bench, which everything that measures works with.

package main

import (
	"errors"
	"io"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// latency is what a request costs, as on a fast eNMS.
const latency = 150 * time.Millisecond

// errPromise is the error of a promise that was not kept; the output says which.
var errPromise = errors.New("not all promises were kept")

// bench is one run.
type bench struct {
	shop      *workshop.Workshop
	simulator string // the program
	out       io.Writer
	progress  io.Writer
	// only leaves out all promises but one: peers or exported. "" is all.
	only string
}
