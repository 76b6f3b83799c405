// Package reading finds and reads the instances of a kind.
//
//	reader.go    the reader
//	read.go      the instance of a state
//	identity.go  which instance is the one in a state
//	byname.go    an instance of which only the name is known
//	author.go    who has changed it
//	together.go  many instances: those of a search, and all of a kind
//	fetch.go     the requests for one instance, shared with others
//	types.go     types of instances, of which a site may have its own
//
// # Which instance is that of a state
//
// Identify (identity.go) decides it by what eNMS says. No content is compared, and no order of reads counts. The
// first line that holds decides:
//
//	the id or the name belongs to what has the creation_time (eNMS 5)  that is it
//	the id and the name belong to the same instance                    that is it, if the changelog has the mark
//	its place (kind.Place) still has an instance                       that is it
//	the changelog lacks the mark                                       untold
//	nothing has either, and eNMS hides nothing from this user          gone
//	the changelog tells how what has the id got its name               that is it, renamed by others
//	the changelog tells the deletion                                   gone
//	otherwise                                                          untold
//
// What is untold is read by its name, and neither changed nor deleted. With identify_by = "name", what has the name
// is the instance.
//
// An instance that others have renamed has the new name in the state. A plan of the same run refuses to delete it
// (package planning).
//
// The client returns enms.ErrNotFound only after it asked eNMS for this one instance, because a response about
// many instances proves nothing.
package reading
