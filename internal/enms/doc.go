// Package enms is a client of the REST interface of eNMS 4.7 and 5, as enms-rest.md
// beside this file describes it. It knows nothing of Terraform. Callers use the words of 4.7;
// package endpoint knows what eNMS 5 calls and does otherwise.
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
//	      │                     │ cache: what was read     │                  │
//	      │                     │ since the last write     │── known: return  │
//	      │                     └─────────────┬────────────┘                  │
//	      ▼                                   ▼                               │
//	┌───────────────────────────────────────────────────────┐                │
//	│ batch: whoever comes within 30 ms shares a request;   │                │
//	│ one at a time for each type                           │                │
//	└──────────────────────────┬────────────────────────────┘                │
//	      ┌────────────────────┴──────────────┐                               │
//	      ▼                                   ▼                               ▼
//	write, and look:                    search for all names           one request each;
//	taken? refused? lost?               of the batch, or read          ten deletions at
//	(create.go, change.go)              a page (find.go)               a time
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
//	new.go        makes a client; what callers ask together
//	delete.go     deletions, and what surely takes nothing along
//	change.go     updates and renames
//	recompute.go  computations that eNMS makes only on demand
//	create.go     creations
//	write.go      what all writes share
//	relations.go  reads of relations, and of whole instances, that share searches
//	supported.go  what this eNMS supports
//	fate.go       what the changelog tells of an instance
//	mark.go       moments in the changelog, by which another database is recognized
//	visibility.go what is gone, and what is hidden
//	spellings.go  names of related instances
//	related.go    searches for related instances
//	list.go       searches for many instances
//	find.go       reads of one instance, which share searches and pages
//	single.go     reads of one instance alone, and when it is not found
//	client.go     the client, and whose write it was
//	questions.go  what callers ask and write together
//	event.go      the entries of the changelog, and what they tell
//	changelog.go  who has created, changed and deleted what
//	user.go       what the user may see
//	clock.go      the clock of the server
//	address.go    one spelling of the address of a server
//	errors.go     what went wrong
//
//	runs/        starting and following runs; stands on this package
//	cache/       what was read since the last write
//	groups/      who has which members, in few searches
//	batch/       operations that come at about the same time share a batch
//	endpoint/    one request of eNMS each, its answer decoded
//	rest/        one HTTP request with its retries
//	testserver/  the eNMS of the tests
//
// # Limits
//
//	what                                    limit                        where
//	--------------------------------------  ---------------------------  -----------------------------
//	entries of a write                      MaxNames, 1000               endpoint/search.go
//	bytes of a write                        maxListBytes, 8 MiB          client.go
//	names in the pattern of a search        MaxNames                     endpoint/search.go, Chunks
//	bytes of the pattern of a search        MaxPattern, 16 KiB           endpoint/search.go, Chunks
//	names in a search that eNMS refuses     halves, down to one          find.go, searchFor
//	names in a search by a relation         those of a batch: MaxNames   related.go, newRelated
//	the same, to learn its members          all names that are known     relations.go, candidatesOf
//	rows of a page                          PageRows, 1000               cache/rows.go
//	finds of a type before pages are read   ManyFinds, 16                cache/rows.go
//	the same, of names alone                ManyNames, 10                cache/rows.go
//	names in a search of the changelog      mostNames, 20                fate.go
//	rows of such a search                   mostRows, 1000               fate.go
//	deletions at a time                     MostDeletions, 10            delete.go
//	requests at a time                      max_concurrent_requests      rest/client.go
//
// A search by a relation has the names in a list and not in a pattern, so no number of bytes bounds it.
//
// # What is tried again
//
// There are two layers. The transport (retryable in rest/request.go) repeats a request that got no answer, or
// the answer of a gateway (429, 502, 503, 504), up to max_retries times; a creation or rename only if it was not
// sent (Once, which write.go sets). After 429 all requests wait. Above it, whoever cannot believe an answer looks,
// and sends the write again if it did not happen:
//
//	why                                                  how often
//	---------------------------------------------------  -----------------------------------------
//	a creation or rename whose answer was lost           max_retries times, counted over all its
//	(creationsLost, renamesLost)                         attempts
//	a write that is refused alone by a 500 without       once
//	a reason, or because nothing has its id
//	a list that is refused by a 500                      halves: 2n - 1 lists for n entries
//	an answer that contradicts what this client wrote,   staleTries - 1 times
//	from a worker with an old snapshot (untilConsistent)
//
// If the answer to a deletion was lost for good, deleteOnce asks whether the instance is gone.
// Runs are looked for up to 8 times (runs/), and resources/instance/readback.go asks up to 3 times whether
// the scheduler has taken up a task. The worst that a server can do to one write by itself, without
// 429, with m for max_retries; pauses begin at 0.5 s and double up to 30 s:
//
//	write                                    requests          at m = 3  pauses at most
//	---------------------------------------  ----------------  --------  --------------
//	create of a name that nobody has taken   m² + 8m + 15            48   35.0 s
//	update                                   9(m+1)                  36   31.5 s
//	delete                                   16(m+1)                 64   56.0 s
//
// For a creation that is: it is sent m + 9 times, of which m answers are lost; a search follows each
// lost answer, and a search and two queries follow each of two 500s. Each of these reads takes m + 1 attempts.
// Terraform's interrupt ends all of it within the grace period (Client.WithGrace). An ordinary
// creation is one request, shared with others.
//
// TestWorstCases plays these cases and compares the figures.
package enms
