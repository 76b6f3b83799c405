// This file requests computations, which eNMS makes for all instances at once. Callers that request the
// same computation at the same time share a request. If the criteria of one pool cannot be evaluated,
// eNMS computes no pool and answers 500 without saying which pool it is (enms-rest.md 2.4); eNMS 5 tries
// for minutes before it answers (enms-rest.md 11). This file finds the pool by searches with the
// criteria of each pool, which fail for the same reason.

package enms

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Recompute posts to an endpoint that computes something for all instances, such as update_all_pools (enms-rest.md
// 2.4). Callers that ask at the same time share a request, which begins after each of them has asked.
func (c *Client) Recompute(ctx context.Context, computation string) error {
	return c.computations.Do(ctx, computation, &batch.Result{})
}

// newComputations makes the batcher of requests for computations.
func newComputations(c *Client) *batch.Batcher[string, *batch.Result] {
	return batch.New(c.lanes, batch.Rules[string, *batch.Result]{
		Run: func(ctx context.Context, computation string, asked []*batch.Result) {
			c.Forget()
			defer c.Forget()
			batch.FinishAll(asked, compute(ctx, c.endpoint, computation))
		},
		Lane: func(string) string { return "" }, Exclusive: true, Grace: c.grace,
		MostOperations: endpoint.MaxNames, Unfinished: errUnaccounted,
	})
}

// compute makes the request for a computation. While eNMS may still be computing pools, it looks for a pool at
// fault, and only if it finds none does it request the computation again, with the usual retries.
func compute(ctx context.Context, e *endpoint.Client, computation string) error {
	ofPools := computation == updateAllPools
	request := rest.Request{Method: http.MethodPost, Path: rest.Path(computation), Body: []byte("{}"), Long: ofPools}
	_, err := e.Call(ctx, request)
	if ofPools && rest.InProgress(err) {
		err = explainComputation(ctx, e, err)
		if !rest.Is[*ComputationError](err) {
			request.Long = false
			_, err = e.Call(ctx, request)
		}
	}
	if ofPools && InternalServerError(err) {
		err = explainComputation(ctx, e, err)
	}
	return err
}

// updateAllPools is the endpoint that computes the members of pools.
const updateAllPools = "update_all_pools"

// How many pools are examined, the last written first, and how many of them at the same time.
const (
	mostExamined     = 100
	examinedTogether = 8
)

// ComputationError means that eNMS could not compute the members of its pools, because
// its database cannot search by the criteria of some.
type ComputationError struct {
	// Broken has the criteria by which eNMS cannot search, such as `pool "p": device port, match
	// "inclusion", value "22"`.
	Broken []string

	cause error
}

func (e *ComputationError) Error() string {
	return fmt.Sprintf("eNMS cannot compute the members of any pool, because its database cannot search by the criteria of %s (%s)",
		strings.Join(e.Broken, "; of "), strings.TrimSuffix(e.cause.Error(), "."))
}

// Unwrap returns the answer of eNMS.
func (e *ComputationError) Unwrap() error { return e.cause }

// explainComputation looks for the pools whose criteria break a computation, and returns a
// *ComputationError. If it finds none, it returns cause.
func explainComputation(ctx context.Context, e *endpoint.Client, cause error) error {
	pools, err := e.Query(ctx, "pool", nil)
	if err != nil {
		return cause
	}
	slices.SortFunc(pools, func(a, b Object) int {
		return cmp.Compare(endpoint.String(b, "last_modified"), endpoint.String(a, "last_modified"))
	})
	for examined := range slices.Chunk(pools[:min(len(pools), mostExamined)], examinedTogether) {
		found := make([][]string, len(examined))
		var examining sync.WaitGroup
		for i, pool := range examined {
			examining.Go(func() { found[i] = brokenCriteria(ctx, e, pool) })
		}
		examining.Wait()
		if broken := slices.Concat(found...); len(broken) > 0 {
			return &ComputationError{Broken: broken, cause: cause}
		}
	}
	return cause
}

// brokenCriteria describes the criteria of a pool by which eNMS cannot search, if there are any: for its
// devices and for its links, the first criterion that fails alone, or all of them if none does.
func brokenCriteria(ctx context.Context, e *endpoint.Client, pool Object) (broken []string) {
	if pool["manually_defined"] == true {
		return nil
	}
	for _, class := range []string{"device", "link"} {
		all := criteriaOf(pool, class)
		if len(all) == 0 {
			continue
		}
		whole := map[string]any{}
		for _, one := range all {
			maps.Copy(whole, one.search)
		}
		fails := func(criteria map[string]any) bool {
			works, err := canSearch(ctx, e, class, criteria)
			return !works && err == nil
		}
		if !fails(whole) {
			continue
		}
		which := fmt.Sprintf("those of its %ss", class)
		if i := slices.IndexFunc(all, func(one criterion) bool { return fails(one.search) }); i >= 0 {
			which = fmt.Sprintf("%s %s", class, all[i])
		}
		broken = append(broken, fmt.Sprintf("pool %q: %s", endpoint.String(pool, "name"), which))
	}
	return broken
}

// criterion is one criterion of a pool, with the criteria of the search that examines it.
type criterion struct {
	property, match, value string

	search map[string]any
}

func (c criterion) String() string {
	shown := c.value
	if runes := []rune(shown); len(runes) > 60 {
		shown = string(runes[:60]) + "…"
	}
	return fmt.Sprintf("%s, match %q, value %q", c.property, c.match, shown)
}

// criteriaOf returns the criteria of a pool for its devices or its links, sorted by property. Criteria
// without a value match everything, and are left out.
func criteriaOf(pool Object, class string) (all []criterion) {
	for _, field := range slices.Sorted(maps.Keys(pool)) {
		property, isMatch := strings.CutSuffix(field, "_match")
		property, isOfClass := strings.CutPrefix(property, class+"_")
		if !isMatch || !isOfClass {
			continue
		}
		one := criterion{property: property, match: endpoint.String(pool, field), value: endpoint.String(pool, class+"_"+property)}
		if one.value == "" && one.match != "empty" {
			continue
		}
		one.search = map[string]any{property: one.value, property + "_filter": one.match}
		all = append(all, one)
	}
	return all
}
