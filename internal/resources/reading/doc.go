// Package reading finds and reads the instances of a kind.
//
//	reader.go    the reader
//	read.go      the instance of a state
//	identity.go  which instance is the one in a state
//	gone.go      when it is gone
//	byname.go    an instance of which only the name is known
//	author.go    who has changed it
//	together.go  instances that a search has found, and all of a kind
//	fetch.go     the requests for one instance, shared with others
//	types.go     types of instances, of which a site may have its own
//
// # When an instance is gone
//
// It takes three steps. The client returns enms.ErrNotFound only after it asked eNMS for this one
// instance: that it is missing in a response about many proves nothing. Then its id is looked for, in
// case somebody renamed it. Then a user to whom eNMS may hide instances gets an error (ProveGone).
//
// # Which instance is the one in the state
//
// The one with its name and its content, whatever its id: a restore of eNMS gives every object
// another id. If the instance with the name has other content, somebody may have renamed the own one
// and made another with its name, or given its name to an older one: then the one with the id and the
// content is the instance, unless others have the same content and ids are not proven to be stable.
// An older one with the name counts as its own if the reads of this run show that the server was
// restored. Otherwise the name decides, and the plan shows what differs.
package reading
