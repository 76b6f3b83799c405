// This file tests the comparison of configurations.

package deviceconfig

import (
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	const router = `hostname R1
!
interface Gi1
 description uplink
 ip address 10.0.0.1 255.255.255.0
!
router bgp 65000
 address-family ipv4
  neighbor 10.0.0.2 activate
 exit-address-family
ntp server 192.0.2.1
`
	for name, test := range map[string]struct {
		intended, running string
		ignore            []string
		want              string
	}{
		"the same": {router, router, nil, ""},
		"other order, blanks, ends of lines and indentation": {
			"a\n b\n c\nd\n", "! saved at noon\r\nd  \r\n\r\na\r\n\tc\r\n\tb\r\n", nil, ""},
		"a value": {router, strings.Replace(router, "uplink", "old", 1), nil,
			"  interface Gi1\n-   description old\n+   description uplink"},
		"two levels below": {router, strings.Replace(router, "  neighbor 10.0.0.2 activate\n", "", 1), nil,
			"  router bgp 65000\n    address-family ipv4\n+     neighbor 10.0.0.2 activate"},
		"a whole part": {router, router + "interface Gi9\n shutdown\n", nil, "- interface Gi9\n-   shutdown"},
		"nothing runs": {"a\n b\n", "", nil, "+ a\n+   b"},
		"the same line below others": {
			"interface Gi1\n shutdown\ninterface Gi2\n", "interface Gi1\ninterface Gi2\n shutdown\n", nil,
			"  interface Gi1\n+   shutdown\n  interface Gi2\n-   shutdown"},
		"a part that is there twice":   {"vrf A\n x\nvrf A\n y\n", "vrf A\n y\n x\n", nil, ""},
		"less indented than the first": {"  a\n b\nc\n", "c\n b\na\n", nil, "+ b\n  c\n-   b"},
		"ignored, with what belongs to it": {router, "Building configuration...\nntp clock-period 17\nsecret\n 1234\n 5678\n" + router + "end\n",
			[]string{"^Building", "^ntp clock-period", "^secret", "^end$"}, ""},
		"the lines after what is ignored": {"b\n", "a\n x\nb\n", []string{"^a$"}, ""},
		"braces": {"interfaces {\n    ge-0/0/0 {\n        mtu 9000;\n    }\n}\n", "interfaces {\n    ge-0/0/0 {\n        mtu 1500;\n    }\n}\n", nil,
			"  interfaces {\n    ge-0/0/0 {\n-     mtu 1500;\n+     mtu 9000;"},
	} {
		have := strings.Join(Differences(test.intended, test.running, compiled(t, test.ignore)), "\n")
		if have != test.want {
			t.Errorf("%s:\n%s\nand not\n%s", name, have, test.want)
		}
	}
}

// compiled returns regular expressions.
func compiled(t *testing.T, expressions []string) Patterns {
	t.Helper()
	patterns, err := Compile(expressions)
	if err != nil {
		t.Fatal(err)
	}
	return patterns
}
