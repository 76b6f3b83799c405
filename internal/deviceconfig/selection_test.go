// This file tests the selection of lines.

package deviceconfig

import (
	"strings"
	"testing"
)

const router = `Building configuration...
! saved with password hush
hostname R1
!
enable secret 9 hush
aaa group server tacacs+ T
 server-private 192.0.2.9 key 7 hush
 ip vrf forwarding M
interface Gi1
 description uplink
 ip address 10.0.0.1 255.255.255.0
  ! a comment
interface Gi2
	description to R2
crypto pki certificate chain C
 certificate ca 01
  30820321 hush
  quit
ntp server 192.0.2.1  
ntp server 192.0.2.2
end
`

func TestSelect(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		only, ignore []string
		want         string
	}{
		"lines":                          {[]string{"^ntp "}, nil, "ntp server 192.0.2.1\nntp server 192.0.2.2\n"},
		"with what belongs to them":      {[]string{"^interface Gi1"}, nil, "interface Gi1\n description uplink\n ip address 10.0.0.1 255.255.255.0\n"},
		"with what they belong to":       {[]string{"^description "}, nil, "interface Gi1\n description uplink\ninterface Gi2\n\tdescription to R2\n"},
		"any of several expressions":     {[]string{"^hostname ", "^end$"}, nil, "hostname R1\nend\n"},
		"nothing":                        {[]string{"^snmp-server "}, nil, ""},
		"the indentation is not matched": {[]string{"^ description"}, nil, ""},
		"of those without some":          {[]string{"^aaa "}, []string{" key "}, "aaa group server tacacs+ T\n ip vrf forwarding M\n"},
		"without what is around":         {[]string{"^30820321"}, []string{"^crypto pki"}, ""},
		"without what is in between":     {[]string{"^quit"}, []string{"^certificate"}, ""},
		"of none":                        {nil, nil, ""},
		"all but some": {[]string{""}, []string{"^Building", "^enable", "^aaa", "^interface", "^crypto", "^end$"},
			"hostname R1\nntp server 192.0.2.1\nntp server 192.0.2.2\n"},
	} {
		have := Select(router, compiled(t, test.only), compiled(t, test.ignore))
		if have != test.want {
			t.Errorf("%s:\n%s\nand not\n%s", name, have, test.want)
		}
	}
	if have := Select(router, All, nil); strings.Contains(have, "!") || !strings.HasPrefix(have, "Building configuration...\nhostname R1\n") || !strings.HasSuffix(have, "\nend\n") {
		t.Errorf("all lines:\n%s", have)
	}
	if have := Select("", All, nil); have != "" {
		t.Errorf("of nothing: %q", have)
	}
}

// A configuration and the selection of all its lines do not differ; neither does one that was selected
// before, from the same lines selected again.
func TestSelect_keepsWhatIsCompared(t *testing.T) {
	t.Parallel()
	if lines := Differences(router, Select(router, All, nil), nil); len(lines) > 0 {
		t.Errorf("all lines differ in %q", lines)
	}
	only, ignore := compiled(t, []string{"^description", "^ntp ", "^aaa"}), compiled(t, []string{"key"})
	once := Select(router, only, ignore)
	if twice := Select(once, only, ignore); twice != once {
		t.Errorf("selected twice:\n%s\nand once:\n%s", twice, once)
	}
	if lines := Differences(once, router, compiled(t, []string{"key"})); len(lines) == 0 {
		t.Error("a selection has all lines")
	}
}

func TestCompile(t *testing.T) {
	t.Parallel()
	if _, err := Compile([]string{"ok", "("}); err == nil || !strings.Contains(err.Error(), `"(" is not a regular expression`) {
		t.Errorf("the error is %v", err)
	}
}
