// Addresses.

package terraformtest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// deposedMark and a number follow the address of a resource in that of its deposed object, which is not destroyed yet
// although another one has replaced it (create_before_destroy).
const deposedMark = ".deposed"

var deposed = regexp.MustCompile(regexp.QuoteMeta(deposedMark) + `\d+$`)

// BlockOf returns the address at which a deposed object was before. Any other address is returned as it is.
func BlockOf(address string) string { return deposed.ReplaceAllString(address, "") }

// resourceOf returns an address without a key of count or for_each.
func resourceOf(address string) string {
	resource, _, _ := strings.Cut(BlockOf(address), "[")
	parts := strings.Split(resource, ".")
	if parts[0] == "data" {
		return strings.Join(parts[:min(3, len(parts))], ".")
	}
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// TypeOf returns the type of the resource at an address.
func TypeOf(address string) string {
	typ, _, _ := strings.Cut(address, ".")
	return typ
}

// union returns the members of both without duplicates, in order.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// resources returns the addresses without those of data sources.
func resources(addresses []string) []string {
	return slices.DeleteFunc(slices.Clone(addresses), func(address string) bool { return strings.HasPrefix(address, "data.") })
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
