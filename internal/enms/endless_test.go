package enms

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
)

// Pages ends although the pages of a hostile server do not: each is full of new instances, or
// those after the first never overlap with it, or all are the same. Where the second one does not overlap because an
// instance was deleted, the pages are read again.
func TestPages_withoutEnd(t *testing.T) {
	t.Parallel()
	const most = 20 * cache.PageRows
	next, deleted := 0, false
	shown := func(from, rows int) string {
		var list []string
		for id := from; id < from+rows; id++ {
			list = append(list, fmt.Sprintf(`{"id":%d,"name":"d%d","type":"device"}`, id, id))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	page := func(rows int) string {
		next += rows
		return shown(next-rows+1, rows)
	}
	first := page(cache.PageRows)
	for name, test := range map[string]struct {
		answer func(start int) string
		want   error
	}{
		"new instances": {func(int) string {
			defer func() { next-- }() // the next page overlaps
			return page(2 * cache.PageRows)
		}, errEndless},
		"pages that do not overlap": {func(start int) string {
			if start == 0 {
				return first
			}
			return page(1)
		}, errEndless},
		"one page": {func(int) string { return first }, errSamePage},
		"one that is deleted meanwhile": {func(start int) string {
			if start > 0 {
				deleted = true
				return shown(cache.PageRows+1, 2)
			}
			if deleted {
				return shown(2, cache.PageRows)
			}
			return shown(1, cache.PageRows)
		}, nil},
	} {
		requests := 0
		served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var search struct{ Start int }
			if err := json.NewDecoder(r.Body).Decode(&search); err != nil {
				t.Error(err)
			}
			if requests++; requests > 50 || next > 3*most {
				http.Error(w, "it does not end", http.StatusForbidden)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, test.answer(search.Start))
		}))
		t.Cleanup(served.Close)
		c, err := New(Config{BaseURL: served.URL, Username: "u", Password: "p"}, Words{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		for _, e := range c.pagesUpTo(t.Context(), most, "device", nil, map[string]any{}) {
			err = e
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%s: after %d requests: %v", name, requests, err)
		}
	}
}
