// This file prints the table.

package main

import (
	"context"
	"fmt"
	"time"
)

const header = `| Instances | Step | Requests | a resource | Time | terraform_data: time |
|---|---|--:|--:|--:|--:|
`

// table measures all subjects and prints a row for each step.
func (b *bench) table(ctx context.Context) error {
	if _, err := fmt.Fprint(b.out, header); err != nil {
		return err
	}
	for _, s := range subjects() {
		ours, err := b.series(ctx, s, withProvider, steps, serial)
		if err != nil {
			return err
		}
		own, err := b.series(ctx, s, withoutProvider, steps, serial)
		if err != nil {
			return err
		}
		for i, step := range steps {
			fmt.Fprintf(b.out, "| %d %s | %s | %s | %s |\n", s.count, s.name, step.name, ours[i].cells(s.count), seconds(own[i].time))
		}
	}
	fmt.Fprintln(b.out)
	return nil
}

// cells returns the cells of a row: the requests, the requests for each resource, and the time.
func (c sample) cells(count int) string {
	each := float64(c.requests) / float64(count)
	digits := 2
	if each < 0.01 { // which would be 0.00
		digits = 3
	}
	return fmt.Sprintf("%d | %.*f | %s", c.requests, digits, each, seconds(c.time))
}

// ratio returns how many times as long x is as y.
func ratio(x, y time.Duration) float64 { return x.Seconds() / y.Seconds() }
