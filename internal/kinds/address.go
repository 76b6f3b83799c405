// This file checks the addresses of devices.

package kinds

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// checkAddress returns what is wrong with the address of a device, or "": it must be an IP address or a
// host name that a resolver may know. eNMS stores any string (enms-rest.md 1.4), but then cannot connect to
// the device.
func checkAddress(address, _ string) string {
	if address == "" || isIP(address) || isHostName(address) { // "" is unset
		return ""
	}
	return fmt.Sprintf("%q is neither an IP address, such as 10.0.0.1 or 2001:db8::1, nor a host name, such as router1.example.com. eNMS would store it, but fail to connect to the device. %s",
		address, addressHint(address))
}

// maxHostName is the length of the longest host name, in characters.
const maxHostName = 253

var (
	hostLabel = regexp.MustCompile(`^[_\pL\pN]([_\pL\pN\pM-]{0,61}[_\pL\pN\pM])?$`)
	digits    = regexp.MustCompile(`^\d+$`)
)

func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// isHostName reports whether a string is a name that resolvers look up, with or without a dot at its end:
// RFC 1123, and beyond it underscores, which containers have, and the letters of any language, which Python
// encodes (IDNA). The last label must not be a number, because the name would be read as an IPv4 address.
func isHostName(s string) bool {
	labels := strings.Split(strings.TrimSuffix(s, "."), ".")
	for _, label := range labels {
		if !hostLabel.MatchString(label) {
			return false
		}
	}
	return utf8.RuneCountInString(s) <= maxHostName && !digits.MatchString(labels[len(labels)-1])
}

// addressHint says what to write in place of an invalid address.
func addressHint(s string) string {
	ip, _, _ := strings.Cut(s, "/")
	host, _, _ := net.SplitHostPort(s)
	if u, err := url.Parse(s); err == nil && u.Hostname() != "" {
		host = u.Hostname()
	}
	trimmed := strings.Join(strings.Fields(s), "")
	switch {
	case isIP(host) || isHostName(host):
		return fmt.Sprintf("Write only the host: %q. Write the port in port.", host)
	case isIP(ip):
		return fmt.Sprintf("Write it without the mask: %q.", ip)
	case isIP(trimmed) || isHostName(trimmed): // thus not s
		return fmt.Sprintf("Write it without spaces: %q.", trimmed)
	case digits.MatchString(strings.ReplaceAll(s, ".", "")):
		return "An IPv4 address is four numbers from 0 to 255, without leading zeros, with dots between them."
	}
	return "A host name holds letters, digits, hyphens, underscores and dots; each part has at most 63 characters, and does not begin or end with a hyphen."
}
