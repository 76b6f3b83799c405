// Package enms is a client of the REST interface of eNMS 4.7, as enms-rest.md
// beside this file describes it. It knows nothing of Terraform.
//
// A request costs eNMS a quarter of a second of one core, whatever it asks for
// (enms-rest.md 7), so the client counts requests: writes and reads that are
// under way at the same time share requests, invisibly to their callers.
//
// # The life of a request
//
//	Create, Upsert               Find, Related, HasRelations, …          Get, Delete
//	      │                                   │                               │
//	      │                     ┌─────────────┴────────────┐                  │
//	      │                     │ knowledge: what was read │                  │
//	      │                     │ since the last write     │── known: return  │
//	      │                     └─────────────┬────────────┘                  │
//	      ▼                                   ▼                               │
//	┌───────────────────────────────────────────────────────┐                │
//	│ batch: operations of one key wait for each other;     │                │
//	│ one batch runs at a time, writes first                │                │
//	└──────────────────────────┬────────────────────────────┘                │
//	      ┌────────────────────┴──────────────┐                               │
//	      ▼                                   ▼                               ▼
//	write, and resolve:                 search for all names           one request
//	taken? refused? lost?               of the batch, or fetch         each
//	(create.go, upsert.go)              a page (find.go)
//	      │                                   │                               │
//	      └───────────────────────────────────┼───────────────────────────────┘
//	                                          ▼
//	                      endpoint: one request of eNMS, its answer decoded
//	                                          ▼
//	                      rest: pace, attempts, status, redaction
//	                                          ▼
//	                                        eNMS
//
// # The files
//
// Arrows go down, between packages and between files.
//
//	new.go                                           makes a client
//	dispatch.go                                      what a batch does
//	create.go  upsert.go  delete.go                  what callers write
//	find.go  single.go  list.go  names.go            what callers read
//	related.go  relations.go  getshared.go
//	supports.go  brokenpools.go  recompute.go        what this eNMS supports and computes
//	write.go  operation.go  provenance.go            parts of these
//	client.go  consistency.go  written.go  clock.go  what a client keeps
//	errors.go
//
//	runs/        starting and following runs; stands on this package
//	knowledge/   what was read since the last write
//	groups/      who has which members, in few searches
//	batch/       operations that are under way at the same time share a batch
//	endpoint/    one request of eNMS each, its answer decoded
//	rest/        one HTTP request with its retries
//	testserver/  the eNMS of the tests
//
// # What is tried again
//
// m is max_retries (3 by default), w the first pause (0.5 s), which doubles with each attempt
// up to 30 s; on average three quarters of it are waited. An attempt lasts at most
// request_timeout (120 s).
//
//	layer                       repeats                                      bound
//	--------------------------  -------------------------------------------  ---------------------------
//	net/http                    GET and DELETE whose kept connection broke   once per kept connection
//	rest/pace.go                nothing; after 429 all requests wait         60 s for one 429
//	rest/retry.go               a request that met no server, 429, 502, 503  m times; while 429 is
//	                            or 504; a creation or rename only if it was  answered, for 120·m·w
//	                            not sent
//	create.go, upsert.go        a creation or rename whose answer was lost,  m times
//	(resending)                 after a search has shown that it did not
//	                            happen
//	create.go, upsert.go        a write that is refused alone by a 500       once
//	(second attempt)            without a reason
//	create.go, upsert.go        halves of a list that is refused by a 500    2n - 1 lists for n entries
//	(halves)
//	consistency.go              a question whose answer contradicts a write  8 times (4 times a 403 for
//	                            of this client (stale workers)               what it has not written)
//	runs/                       the question whether a run was recorded      8 times
//	lifecycle/afterwrite.go     the question whether the scheduler has       3 times in 1.25 s
//	                            taken up a task
//
// The layers nest. The worst that a server can do to one write by itself, without 429:
//
//	write                                    requests          at m = 3  pauses at most
//	---------------------------------------  ----------------  --------  --------------
//	create of a name that nobody has taken   (16m + 43)(m+1)        364  318.5 s
//	update                                   16(m+1)                 64   56.0 s
//	delete of what this client has written   72(m+1)                288  252.0 s
//	delete of anything else                  8(m+1)                  32   28.0 s
//
// For a creation that is: eight times, because its reference is missing on stale workers, it is
// sent m + 1 times in each of two rounds, with searches between them and questions after. A
// deletion is sent eight times, and after each eight questions are asked whether the instance
// is there. Each of these requests but the creation itself takes m + 1 attempts. Pauses for
// stale workers come on top, 10 ms each. Terraform's interrupt ends all of it. An ordinary
// creation is one request, shared with others.
//
// TestWorstCases plays these cases and compares the figures.
package enms
