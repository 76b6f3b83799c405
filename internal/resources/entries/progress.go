// This file works on many entries at the same time, and logs the progress of long work at INFO.

package entries

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// mostTogether is how many instances are read or written at the same time: enough for the
	// client to fill its lists and searches.
	mostTogether = 2000
	// tellEvery is how often the progress is logged.
	tellEvery = 5 * time.Second
	// mostRequestsUntold is how many requests an apply may take without a word in the plan: at
	// a quarter of a second each, about a minute.
	mostRequestsUntold = 300
)

// each calls do for each of the items, up to atATime calls at once. If that takes longer than a few
// seconds, it logs how far it is. done says what the finished items are, such as "deleted".
func each[T any](ctx context.Context, done, typ string, items []T, atATime int, do func(T)) {
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	began, started, ended, finished := time.Now(), 0, 0, make(chan struct{})
	tell := func() {
		elapsed := time.Since(began)
		line := fmt.Sprintf("enms_instances: %d of %d instances of type %s %s after %s", ended, len(items), typ, done, elapsed.Round(time.Second))
		if left := len(items) - ended; left > 0 && ended > 0 {
			line += fmt.Sprintf(", about %s left", (elapsed * time.Duration(left) / time.Duration(ended)).Round(time.Second))
		}
		tflog.Info(ctx, line)
	}
	for ended < len(items) {
		for ; started < len(items) && started-ended < atATime; started++ {
			go func(item T) {
				do(item)
				finished <- struct{}{}
			}(items[started])
		}
		select {
		case <-finished:
			ended++
		case <-ticker.C:
			tell()
		}
	}
	if time.Since(began) >= tellEvery {
		tell()
	}
}

// longDeletion returns a sentence for the warning about deletions that says how long they take, or "" if
// that is short.
func longDeletion(deletions int) string {
	if deletions <= mostRequestsUntold {
		return ""
	}
	return fmt.Sprintf(" eNMS deletes one instance at a time: the apply takes at least %d requests. With TF_LOG_PROVIDER=INFO, the log shows how far it is.", deletions)
}
