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
//	│ as many batches at a time as the server gains from;   │                │
//	│ writes one at a time, and first                       │                │
//	└──────────────────────────┬────────────────────────────┘                │
//	      ┌────────────────────┴──────────────┐                               │
//	      ▼                                   ▼                               ▼
//	write, and resolve:                 search for all names           one request each;
//	taken? refused? lost?               of the batch, or fetch         as many deletions as
//	(write.go, change.go)               a page (find.go)               pay (limiter.go)
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
//	dispatch.go   makes a client; what a batch does
//	delete.go     deletions, and the questions before them
//	limiter.go    how many deletions are under way
//	change.go     updates and renames
//	write.go      creations, and what all writes share
//	relations.go  reads of relations, and of whole instances, that share searches
//	recompute.go  computations that eNMS makes only on demand
//	find.go       reads of one instance, and when it is not found
//	list.go       searches for many instances, and what this eNMS supports
//	client.go     the client, its operations and what it keeps
//	errors.go     what went wrong
//
//	runs/        starting and following runs; stands on this package
//	knowledge/   what was read since the last write
//	groups/      who has which members, in few searches
//	batch/       operations that are under way at the same time share a batch
//	endpoint/    one request of eNMS each, its answer decoded
//	rest/        one HTTP request with its retries
//	testserver/  the eNMS of the tests
//
// # Where questions are answered
//
// When is an instance not found? Only after eNMS was asked for it alone (queryOne, absentOr in
// find.go). How do reads share requests? By batches (batch/batch.go, newBatcher and runBatch in
// dispatch.go), and by what is known since the last write (knowledge/knowledge.go); findTogether
// in find.go joins the two. Whose write was it? Client.Wrote in client.go, by the server's clock.
// What of a write whose answer was lost? creationsLost in write.go, renamesLost in change.go,
// deleteOnce in delete.go; Lost in endpoint/errors.go says which answers are. What may be deleted
// at once? Deletable in delete.go, by answers that are not older than DeletionAge in
// knowledge/deletions.go. Which members does an instance have? relations.go here, with the rule of
// cost in knowledge/relations.go. What do versions of eNMS do differently? A table in
// endpoint/client.go.
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
//	rest/client.go (pace)       nothing; after 429 all requests wait         60 s for one 429
//	rest/request.go             a request that met no server, 429, 502, 503  m times; while 429 is
//	                            or 504; a creation or rename only if it was  answered, for 120·m·w
//	                            not sent
//	write.go, change.go         a creation or rename whose answer was lost,  m times
//	(resending)                 after a search has shown that it did not
//	                            happen
//	write.go, change.go         a write that is refused alone by a 500       once
//	(second attempt)            without a reason
//	write.go, change.go         halves of a list that is refused by a 500    2n - 1 lists for n entries
//	(halves)
//	client.go                   a question whose answer contradicts a write  8 times (4 times a 403 for
//	(untilConsistent)           of this client (stale workers)               what it has not written)
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
// stale workers come on top, 10 ms each. Terraform's interrupt ends all of it within
// the grace period (Client.WithGrace). An ordinary creation is one request, shared with others.
//
// TestWorstCases plays these cases and compares the figures.
package enms
