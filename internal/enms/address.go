// This file normalises the addresses of servers, so that two spellings of one address are equal.

package enms

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// defaultPorts are the ports that an address need not name, by its scheme.
var defaultPorts = map[string]string{"http": "80", "https": "443"}

// Address returns the address of a server in one spelling: scheme and host in lower case and the host in ASCII,
// without the default port, a trailing slash, a user, a query and a fragment. The path stays, because a gateway
// may put several servers under one host. Address returns what is not the URL of a host unchanged.
func Address(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil || u.Hostname() == "" {
		return baseURL
	}
	scheme := strings.ToLower(u.Scheme)
	host, port := canonicalHost(u.Hostname()), u.Port()
	switch {
	case port != "" && port != defaultPorts[scheme]:
		host = net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	return scheme + "://" + host + strings.TrimRight(u.EscapedPath(), "/")
}

// canonicalHost returns a name or an IP address in one spelling, without the brackets of IPv6.
func canonicalHost(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil {
		return strings.ReplaceAll(ip.String(), "%", "%25") // before a zone
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}
