// Package reading finds and reads the instances of a kind.
//
//	reader.go    the reader
//	read.go      the instance of a state
//	identity.go  which instance is the one in a state
//	gone.go      whether it is gone
//	byname.go    an instance of which only the name is known
//	author.go    who has changed it
//	together.go  many instances: those of a search, and all of a kind
//	fetch.go     the requests for one instance, shared with others
//	types.go     types of instances, of which a site may have its own
//
// # When an instance is gone
//
// The proof takes three steps. The client returns enms.ErrNotFound only after it asked eNMS for this one
// instance, because a response about many instances proves nothing. Then the reader looks for the id, in case
// somebody renamed the instance. Then a user from whom eNMS may hide instances gets an error (ProveGone).
//
// # Which instance is the one in the state
//
// It is the instance with the name and the content of the state, whatever its id: a restore of eNMS gives
// every object another id. If the instance with the name has other content, somebody may have renamed the
// instance of the state, and given its name to a new or an older instance. Then the instance with the id and
// the content is the one in the state, unless others have the same content and ids are not proven to be
// stable. An older instance with the name is the one in the state if the reads of this run show that the
// server was restored. Otherwise the name decides, and the plan shows the differences.
package reading
