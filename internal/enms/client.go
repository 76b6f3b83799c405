// The client as a value: what it is told and what it keeps.

package enms

import (
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
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
	pages       *pageCache
	spellings   *pageCache // for Spelled; no write changes them
	ids         *pageCache // for NameOf
	unrelated   *unrelatedCache
	members     *memberCache
	wholes      *wholeCache
	clock       *clock   // of the server
	written     *nameSet // the names that this client has written and not deleted since
	removed     *nameSet // the names that it has deleted and not written since
	heeded      *nameSet // the criteria that Ignores has seen to count
	renames     *renameLog
	searchable  *nameSet         // the criteria by which Searchable has seen eNMS search
	noUnion     *nameSet         // the types that the database refuses to search by several names of a relation (enms-rest.md 10.6)
	comparison  *comparisonCache // what the database ignores
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
