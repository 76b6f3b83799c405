// Package endpoint makes the requests of the client of eNMS: a function for each endpoint of the
// REST interface, one request for each call. It knows what an answer means, such as which entries
// of a list were written and why others were not. It shares no requests between callers. All that it remembers
// is what earlier answers have shown of the version: the line (line), and whether a query needs allow_none.
//
//	client.go    the client, GET /rest/instance and /rest/query
//	list.go      reads of many instances, with their types and positions
//	search.go    POST /rest/search
//	write.go     POST /rest/instance, lists of instances, and which entries were written; deletions; why
//	             eNMS refuses them
//	layout.go    positions in workflows and networks
//	line.go      in what the line differs, for callers; asks for it
//	words.go     learns the line from rows; translates between the words of 4.7 and of eNMS 5
//	object.go    instances in answers
//	errors.go    the errors of answers
//
// # Versions of eNMS
//
// No endpoint returns the version, so the client never asks for it. It recognizes each difference of
// earlier versions by an answer that shows it (enms-rest.md 8). Of eNMS 5, one field in any row shows
// the line (words.go), and all else follows from it (enms-rest.md 11).
//
//	version            difference                               where it is met
//	-----------------  ---------------------------------------  ------------------------------------
//	before 4.0         every deletion answers 500               deletionHint, resources/failures
//	before 4.7         a query without a match answers 403      query, here
//	before 4.7         fields are missing, such as disabled     Deviations, kind/states/afterwrite.go
//	before 4.7         two runs may have one name               checkRunName, enms/runs/start.go
//	4 or 5             types that the other line does not have  Line, kind/kind.go; CheckType, resources/reading/types.go
//	4                  other built-in instances                 BuiltIn, kind/kind.go
//	5                  there is no type "node"                  realType, line.go
//	5                  fields have other names, or texts        words.go, from rows of package kinds
//	5                  devices of an upgrade: generic_device    plainTypes, words.go
//	5                  the changelog has other fields           words.go; enms/changelog.go
//	5                  new_name is undone beside scoped_name    like5, words.go
//	5                  positions stand at the container         layout.go
//	5                  networks are devices                     withoutNetworks, search.go
//	5                  unknown names vanish from lists          LosesNames; enms/write.go
//	5                  what is written stays after a 500        StoresFirst; enms/create.go, change.go
//	5                  what is deleted may stay with its name   Deleted, object.go
//	5                  a deletion answers columns alone         addRelations, words.go
//	5                  hidden nodes are not shown at all        HidesNodes; enms/visibility.go
//	5                  results go by the full name              ResultName; enms/runs/result.go
//	5                  a new eNMS forbids runs over REST        notAllowed, resources/operations/outcome.go
//	5                  the rate limiter answers 403             heedLimiter, rest/limiter.go
//	5.2                objects stand where 5.3 has texts        keepsObjects, line.go
//	5.2                networks grow by a serialized field      serializedField, words.go
//
// Which line it is: learn in words.go; Self in line.go asks for the user's own row if no answer has shown it.
package endpoint

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// Client makes requests to one eNMS as one user. Goroutines may share it.
type Client struct {
	*rest.Client

	username string
	line     line
	// needsAllowNone is set once it is known that this eNMS answers 403 to a query without a match unless the
	// query has the parameter allow_none, as it did before June 2023.
	needsAllowNone atomic.Bool
}

// New makes a client, or returns an error if the configuration is invalid. It sends nothing.
func New(cfg rest.Config, words object.Words) (*Client, error) {
	requests, err := rest.New(cfg)
	c := &Client{Client: requests, username: cfg.Username, line: line{words: words}}
	if err == nil {
		c.MayLimit = func() bool { return c.line.number.Load() != object.Line4 }
	}
	return c, err
}

// Call makes a request and returns the decoded answer. It is for endpoints without a function of their own.
func (c *Client) Call(ctx context.Context, r rest.Request) (any, error) {
	a, err := c.Do(ctx, r)
	if err != nil {
		return nil, err
	}
	return a.Value()
}

// Get reads one instance with its relations, as names (enms-rest.md 6.2). The database may have
// treated another name as the same, so the caller has to compare the name.
func (c *Client) Get(ctx context.Context, typ, name string) (Object, error) {
	a, err := c.Do(ctx, rest.Request{Method: http.MethodGet, Path: rest.Path("instance", typ, name)})
	if err != nil {
		return nil, err
	}
	found, err := decodeMembers(typ, a)
	if err == nil {
		c.line.translate(typ, found)
		err = CheckIdentity(typ, found)
	}
	return found, err
}

// readMany makes a request for many instances, and makes it once more if eNMS answers 500, as it does when somebody
// deletes an instance that it is about to return (enms-rest.md 10.6).
func (c *Client) readMany(ctx context.Context, r rest.Request) (*rest.Answer, error) {
	a, err := c.Do(ctx, r)
	if rest.InternalServerError(err) {
		a, err = c.Do(ctx, r)
	}
	return a, err
}

// query makes the request of Query. After a 403 it asks again with allow_none (needsAllowNone): not in the first
// request, because some builds of 2023 answer 500 to it (enms-rest.md 8).
func (c *Client) query(ctx context.Context, typ string, filter map[string]string) ([]Object, error) {
	values := url.Values{}
	for property, value := range filter {
		values.Set(property, value)
	}
	allowsNone := c.needsAllowNone.Load()
	if allowsNone {
		values.Set("allow_none", "1")
	}
	r := rest.Request{Method: http.MethodGet, Path: rest.Path("query", typ), Query: values}
	a, err := c.readMany(ctx, r)
	if errors.Is(err, rest.ErrForbidden) && !allowsNone {
		values.Set("allow_none", "1")
		if again, refusal := c.readMany(ctx, r); refusal == nil {
			c.needsAllowNone.Store(true)
			a, err = again, nil
		}
	}
	if err != nil {
		return nil, err
	}
	rows, err := decodeRows(typ, a)
	if err != nil {
		return nil, err
	}
	c.line.translate(typ, rows...)
	for _, row := range rows {
		if err := CheckIdentity(typ, row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
