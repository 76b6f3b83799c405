// Package listing lists instances: the data source of many instances behind every kind, and the list
// resource for `terraform query`.
//
//	datasource.go  the data source, which returns all instances at once
//	query.go       the list resource, which returns them page by page
//	search.go      the searches of both
package listing
