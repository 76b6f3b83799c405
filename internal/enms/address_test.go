package enms_test

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// Spellings of one address are equal, and what may be another server is not. Normalising twice changes nothing.
func TestAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ given, want string }{
		{"https://enms.example.com", "https://enms.example.com"},
		{"HTTPS://eNMS.Example.COM/", "https://enms.example.com"},
		{"https://enms.example.com.", "https://enms.example.com"},
		{"https://enms.example.com:443///", "https://enms.example.com"},
		{"https://enms.example.com:", "https://enms.example.com"},
		{"https://enms.example.com:80", "https://enms.example.com:80"},
		{"https://enms.example.com:8443/", "https://enms.example.com:8443"},
		{"http://enms.example.com:80", "http://enms.example.com"},
		{"http://enms.example.com:443", "http://enms.example.com:443"},
		{"https://enms.example.com/Tools/eNMS/", "https://enms.example.com/Tools/eNMS"},
		{"https://enms.example.com/a%20b", "https://enms.example.com/a%20b"},
		{"https://user:secret@enms.example.com/?token=secret#secret", "https://enms.example.com"},
		{"https://bücher.example", "https://xn--bcher-kva.example"},
		{"https://BÜCHER.example:443", "https://xn--bcher-kva.example"},
		{"https://xn--bcher-kva.example", "https://xn--bcher-kva.example"},
		{"https://my_server:5000", "https://my_server:5000"},
		{"http://127.0.0.1:5000", "http://127.0.0.1:5000"},
		{"http://[::1]:80/", "http://[::1]"},
		{"http://[2001:DB8:0:0::1]:5000", "http://[2001:db8::1]:5000"},
		{"http://[fe80::1%25eth0]:5000", "http://[fe80::1%25eth0]:5000"},
		{"", ""},
		{"enms.example.com", "enms.example.com"},
		{"http://[::1", "http://[::1"},
	} {
		if got := enms.Address(c.given); got != c.want || enms.Address(got) != got {
			t.Errorf("%q: got %q, and %q when normalised again, want %q", c.given, got, enms.Address(got), c.want)
		}
	}
}

// A client knows the address of its server without a request, and shows no more, whatever prints it.
func TestAddress_ofClient(t *testing.T) {
	t.Parallel()
	c, err := enms.New(enms.Config{BaseURL: "HTTP://Enms.Example.com:80/x/", Username: "u", Password: "p"}, enms.Words{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Address(), "http://enms.example.com/x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := fmt.Sprintf("%+v %#v %x", c, *c, []any{c}); got != "enms.Client{Enms.Example.com:80} enms.Client{Enms.Example.com:80} [enms.Client{Enms.Example.com:80}]" {
		t.Errorf("it is printed as %s", got)
	}
}
