// This file counts what devices cost on eNMS 5.3, whose rate limiter admits six requests a minute.

package main

import (
	"context"
	"fmt"
)

// admitted is how many requests a minute eNMS 5.3 admits from a user, with Redis and its default settings.
const admitted = 6

// leastLimited is how many times as many requests a generic provider sends, at least, to create and plan devices.
const leastLimited = 8.0

const limitedHeader = `| On eNMS 5.3 | Step | Requests | minutes at six a minute | Generic provider: requests | minutes |
|---|---|--:|--:|--:|--:|
`

// limited counts the requests of creating and planning devices on a simulated eNMS 5.3, beside those of a generic
// provider that overwrites what has the name: a write and a read to create, a read to plan. The simulator has no
// limiter: each row says how many minutes the limiter would make of the requests.
func (b *bench) limited(ctx context.Context) (promise, measured string, kept bool, err error) {
	if _, err := fmt.Fprint(b.out, limitedHeader); err != nil {
		return "", "", false, err
	}
	var least float64
	for _, s := range []subject{devices(50), devices(300), devices(1000), entries(1000)} {
		ours, err := b.seriesOn(ctx, s, together, steps[:2], append([]string{"-version", "5.3"}, serial...))
		if err != nil {
			return "", "", false, err
		}
		theirs := []int64{int64(2 * s.count), int64(s.count)}
		for i, cost := range ours {
			fmt.Fprintf(b.out, "| %d %s | %s | %d | %d | %d | %d |\n", s.count, s.name, steps[i].name,
				cost.requests, minutes(cost.requests), theirs[i], minutes(theirs[i]))
		}
		times := float64(theirs[0]+theirs[1]) / float64(ours[0].requests+ours[1].requests)
		if least == 0 || times < least {
			least = times
		}
	}
	fmt.Fprintln(b.out)
	return fmt.Sprintf("to create and plan devices on eNMS 5.3, a generic provider sends at least %.0f times as many requests, all of which count for the rate limiter", leastLimited),
		fmt.Sprintf("at least %.1f times as many", least), least >= leastLimited, nil
}

// minutes returns how many minutes the requests take at least: the limiter answers the first six at once.
func minutes(requests int64) int64 { return max(0, requests-1) / admitted }
