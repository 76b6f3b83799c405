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
		ours, err := b.series(ctx, s, together, steps)
		if err != nil {
			return err
		}
		own, err := b.series(ctx, s, bare, steps)
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

// cells returns the requests, the requests a resource and the time.
func (c sample) cells(count int) string {
	each := float64(c.requests) / float64(count)
	digits := 2
	if each < 0.01 {
		digits = 3
	}
	return fmt.Sprintf("%d | %.*f | %s", c.requests, digits, each, seconds(c.time))
}

func ratio(x, y time.Duration) float64 { return x.Seconds() / y.Seconds() }
