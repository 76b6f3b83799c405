// The client as a value: what it is told and what it keeps.

package enms

import (
	"fmt"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Config is what a Client needs to know. Its Answered is the Client's own.
type Config = rest.Config

// Client speaks to one eNMS as one user. It may be used by many goroutines.
type Client struct {
	endpoint    *endpoint.Client
	username    string
	uncoalesced bool
	batcher     *batch.Batcher[batchKey, *operation]
	known       *knowledge.Store // what was read since the last write

	// What this client has written.
	written *nameSet // the names that it has written and not deleted since
	removed *nameSet // the names that it has deleted and not written since
	renames *renameLog

	// What was learned of the server, which no write changes.
	clock         *clock
	administrator *atomic.Pointer[bool] // whether the user is one; nil until that is asked
	respected     *nameSet              // the criteria that Ignores has seen to count
	searchable    *nameSet              // the criteria by which Searchable has seen eNMS search
	noUnion       *nameSet              // the types that the database refuses to search by several names of a relation (enms-rest.md 10.6)
}

// Format prints the client without its secrets, whatever the verb.
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "enms.Client{%s}", c.endpoint.Host()) }

// Endpoint returns what makes the requests. It is for requests that are not about stored
// instances, such as those of package runs.
func (c *Client) Endpoint() *endpoint.Client { return c.endpoint }

// AddSecrets adds values that must not be shown, whatever fields they are for: from now on
// they are taken out of what eNMS says in errors and logs.
func (c *Client) AddSecrets(values Object) { c.endpoint.AddSecrets(values, true) }

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.endpoint.Close() }
