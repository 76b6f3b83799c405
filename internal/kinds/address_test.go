// Tests of the addresses of devices.

package kinds

import (
	"strings"
	"testing"
)

// eNMS hands ip_address to Netmiko and the others as the host, where names work.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "10.0.0.1", "2001:db8::1", "fe80::1%eth0", "::ffff:10.0.0.1",
		"router1", "router1.example.com", "R1.Example.COM.", "1and1.example", "3com", "xn--bcher-kva.example", "a-b.c",
		strings.Repeat("a", 63) + ".example", "10.0.0.1.example.com",
		"clab-lab_1-leaf_1", "router_1", "_r1_.example", "bücher.example", "हिन्दी.example",
	} {
		if problem := checkAddress(address, "ip_address"); problem != "" {
			t.Errorf("%q: %s", address, problem)
		}
	}
	for address, hint := range map[string]string{
		"10.0.0.300":                     "from 0 to 255",
		"10.0.0":                         "from 0 to 255",
		"10.0.0.01":                      "leading zeros",
		"1234":                           "from 0 to 255",
		"10.0.0.1/24":                    `without the mask: "10.0.0.1"`,
		"2001:db8::1/64":                 `without the mask: "2001:db8::1"`,
		"https://router1.example.com/x":  `only the host: "router1.example.com"`,
		"ssh://10.0.0.1:22":              `only the host: "10.0.0.1"`,
		"10.0.0.1:22":                    `only the host: "10.0.0.1"`,
		"router1.example.com:22":         `only the host: "router1.example.com"`,
		" 10.0.0.1":                      `without spaces: "10.0.0.1"`,
		"router1 ":                       `without spaces: "router1"`,
		" ":                              "A host name holds",
		"10.0.0.1\t":                     `without spaces: "10.0.0.1"`,
		"-a.example":                     "begin or end",
		"a-.example":                     "begin or end",
		"a..example":                     "begin or end",
		".":                              "begin or end",
		"example.123":                    "begin or end",
		strings.Repeat("a", 64):          "63 characters",
		strings.Repeat("a.", 127) + "ab": "",
	} {
		if problem := checkAddress(address, "ip_address"); !strings.Contains(problem, hint) {
			t.Errorf("%q: %q, expected %q", address, problem, hint)
		}
	}
}
