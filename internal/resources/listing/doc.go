// Package listing lists instances: it implements the list data source of every kind, and the list resource for
// `terraform query`.
//
//	datasource.go  the data source, which returns all instances at once
//	query.go       the list resource, which returns them page by page
//	search.go      the searches of both
package listing
