// Tests of what is taken out of texts that come from outside.

package rest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// quotations are the ways in which a text may quote another: those of Go, JSON, URLs, HTML
// and Python.
var quotations = map[string]func(string) string{
	"as it is":     func(s string) string { return s },
	"Go":           func(s string) string { return fmt.Sprintf("%q", s) },
	"Go in ASCII":  func(s string) string { return fmt.Sprintf("%+q", s) },
	"JSON":         inJSON,
	"JSON, ASCII":  func(s string) string { return asciiJSON(inJSON(s)) },
	"twice JSON":   func(s string) string { return inJSON(inJSON(s)) },
	"query":        url.QueryEscape,
	"path":         url.PathEscape,
	"small hex":    func(s string) string { return strings.ToLower(everyByte(s, "%%%02X")) },
	"JSON in path": func(s string) string { return url.PathEscape(inJSON(s)) },
	"HTML":         html.EscapeString,
	"HTML, hex":    func(s string) string { return everyRune(s, "&#x%x;") },
	"repr":         pythonRepr,
	"ascii":        pythonASCII,
	"repr of repr": func(s string) string { return pythonRepr(pythonRepr(s)) },
	"bytes":        func(s string) string { return "b'" + everyByte(s, `\x%02x`) + "'" },
	"base64":       func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64url":    func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"hex":          func(s string) string { return fmt.Sprintf("%x", s) },
	"capital hex":  func(s string) string { return fmt.Sprintf("%X", s) },
}

func inJSON(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}

// asciiJSON escapes as Python's json does by default.
func asciiJSON(quoted string) string {
	var out strings.Builder
	for _, r := range quoted {
		switch {
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		case r > 126:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

func everyByte(s, format string) string {
	var out strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&out, format, s[i])
	}
	return out.String()
}

func everyRune(s, format string) string {
	var out strings.Builder
	for _, r := range s {
		fmt.Fprintf(&out, format, r)
	}
	return out.String()
}

// pythonRepr quotes as Python's repr does.
func pythonRepr(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	return quote + strings.NewReplacer(`\`, `\\`, quote, `\`+quote, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\x07", `\x07`).Replace(s) + quote
}

// pythonASCII quotes as Python's ascii does.
func pythonASCII(s string) string {
	var out strings.Builder
	for _, r := range pythonRepr(s) {
		switch {
		case r > 0xffff:
			fmt.Fprintf(&out, `\U%08x`, r)
		case r > 0xff:
			fmt.Fprintf(&out, `\u%04x`, r)
		case r > 126:
			fmt.Fprintf(&out, `\x%02x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// A secret was found in few of the forms in which a server may quote it.
func TestRedact(t *testing.T) {
	t.Parallel()
	const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----\n"
	secrets := []string{
		"plain-secret", `pass"wo/rd\1 +`, "Grüße-für-ß", "emoji-😀-secret", "<b>&amp;secret</b>", `it's "quoted"`, "a%41b%20c", `back\nslash\x41`,
		"tab\tand\nlines\r\nsecret", "ring\x07bell", "1234", key,
	}
	c := newClient(t, Config{BaseURL: "http://h", Username: "u", Password: "own-password"})
	payload := map[string]any{}
	for i, secret := range secrets {
		payload[fmt.Sprint("field", i)] = []any{map[string]any{"x": secret}}
	}
	c.AddSecrets(payload)
	for _, secret := range secrets {
		for how, quote := range quotations {
			for _, around := range []string{"%s", "the value %s does not do", `{"alert": "%s"}`, "x=%s&y=1"} {
				line, core := fmt.Sprintf(around, quote(secret)), strings.Trim(quote(secret), `"'b`)
				before, after, _ := strings.Cut(around, "%s")
				got := c.Redact(line)
				if !strings.Contains(got, redacted) || strings.Contains(got, core) || !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
					t.Errorf("%q, quoted by %s: %s became %s", secret, how, line, got)
				}
			}
		}
	}
	for line, want := range map[string]string{
		"nothing of it: 100% \\ & <b> \\u12 &#; %zz":    "nothing of it: 100% \\ & <b> \\u12 &#; %zz",
		"own-password, plain-secret1234":                "***, ******",
		"Basic " + encoded("u:own-password"):            "Basic ***",
		"of a key: hkiG9w0BAQEFAASC":                    "of a key: ***",
		"without its end:\n" + strings.TrimSpace(key):   "without its end:\n***",
		"ünïcode before plain-secret and ünïcode after": "ünïcode before *** and ünïcode after",
		`{\"a\": \"plain-secret\"} plain\u002dsecret`:   `{\"a\": \"***\"} ***`,
		`plain\u002dsecret, plain-secret`:               `***, ***`,
	} {
		if got := c.Redact(line); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
}

func encoded(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// What is around a very short secret tells what it is, and it stands within ordinary
// words: the text is withheld where it is a word of its own, and else left as it is.
func TestRedactShortSecrets(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{BaseURL: "http://h", Username: "u", Password: "own-password", Headers: map[string]string{"X-On": "1"}})
	c.AddSecretFields(map[string]any{"pin_password": "12", "custom_password": "ß", "name": "no", "port_token": json.Number("22"), "dash_secret": "--", "space_secret": "  1a"})
	for line, want := range map[string]string{
		"it is kept 12 times":     withheld,
		`{'pin': '12'}`:           withheld,
		`"\u00df"`:                withheld,
		"x=%31%32":                withheld,
		"12 times":                withheld,
		"a---":                    withheld,
		"b  1ab":                  "b***b",
		"no 1 at 22 is 120 or ßa": "no 1 at 22 is 120 or ßa",
	} {
		if got := c.Redact(line); got != want {
			t.Errorf("%q became %q", line, got)
		}
	}
}

// The secrets of a payload are the texts and long numbers in its secret fields, however deep.
func TestAddSecretFields(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{BaseURL: "http://h"})
	c.AddSecretFields(map[string]any{
		"name": "plain", "list": []any{map[string]any{"ssh_private_key": "first"}}, "deep": map[string]any{"my_token": []any{"second", true}},
		"secret": map[string]any{"name": "third", "pin": json.Number("1234"), "small": json.Number("567")}, "password": "line-one\n12345678\nseven77",
	})
	if got, want := c.Redact("plain first second third 1234 567 12345678 seven77 line-one"), "plain *** *** *** *** 567 *** seven77 ***"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	before := len(c.secrets.long["firs"])
	c.AddSecrets([]any{"first"})
	if after := len(c.secrets.long["firs"]); before == 0 || after != before {
		t.Errorf("%d forms became %d", before, after)
	}
}

// The words of a header are secrets, but not the names of schemes.
func TestRedact_headers(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{BaseURL: "http://h", Headers: map[string]string{"Authorization": "Bearer abcdefgh seven77", "X": "four", "Y": "six"}})
	for line, want := range map[string]string{
		"Bearer abcdefgh seven77": "***", "Bearer abcdefgh": "Bearer ***", "seven77 four six": "seven77 *** six",
	} {
		if got := c.Redact(line); got != want {
			t.Errorf("%s became %s", line, got)
		}
	}
}

func TestUnescape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		meant, inBytes string // inBytes is "" if it is the same
		length         int
	}{
		`\n`: {"\n", "", 2}, `\/`: {"/", "", 2}, `\`: {`\`, "", 1}, `\q`: {`\`, "", 1}, `\xfcx`: {"ü", "\xfc", 4}, `\xf`: {`\`, "", 1},
		`\u00fc`: {"ü", "", 6}, `\u00f`: {`\`, "", 1}, `\U0001f600`: {"😀", "", 10}, `\Uffffffff`: {"\ufffd", "", 10},
		`\ud83d\ude00`: {"😀", "", 12}, `\ud83d\u0041`: {"\ufffd", "", 6}, `\ud83d\n0041`: {"\ufffd", "", 6}, `\ud83d\ude0`: {"\ufffd", "", 6}, `\u00fc\u0041`: {"ü", "", 6},
		`%41`: {"A", "", 3}, `%4`: {"%", "", 1}, `%4g`: {"%", "", 1}, `&lt;x`: {"<", "", 4}, `&#1114111;`: {"\U0010ffff", "", 10}, `&lt`: {"&", "", 1}, `&nosuch;`: {"&", "", 1}, `ü`: {"\xc3", "", 1},
	} {
		for _, inBytes := range []bool{false, true} {
			meant := want.meant
			if inBytes && want.inBytes != "" {
				meant = want.inBytes
			}
			if got, length := unescape(text, inBytes); got != meant || length != want.length {
				t.Errorf("%s: %q of %d bytes, want %q of %d", text, got, length, meant, want.length)
			}
		}
	}
}

// A text that is too long to be looked through is shown by its end, from a line on.
func TestRedactLongTexts(t *testing.T) {
	t.Parallel()
	c := newClient(t, Config{BaseURL: "http://h", Username: "u", Password: "own-password"})
	whole := "own-password " + strings.Repeat("x", maxRedacted-len("own-password "))
	if got := c.Redact(whole); !strings.HasPrefix(got, "*** x") {
		t.Errorf("%.100q", got)
	}
	long := strings.Repeat("own-password ", maxRedacted/10)
	if got := c.Redact(long); got != withheld {
		t.Errorf("%.100q", got)
	}
	if got := c.Redact(long + "\nValueError: own-password"); got != "ValueError: ***" {
		t.Errorf("%.100q", got)
	}
}

// The error of an answer shows what the server says, which may be a secret of this request
// or another one: in the alert of a 500, in the place that a redirect leads to, in the type
// of a page, and in what is no HTTP.
func TestErrorsWithoutSecrets(t *testing.T) {
	t.Parallel()
	const secret = "hidden/secret"
	for name, answer := range map[string]http.HandlerFunc{
		"alert": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			_ = json.NewEncoder(w).Encode(map[string]any{"alert": strings.Repeat("x", MaxLine-5) + secret})
		},
		"redirect": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/login/"+url.PathEscape(secret)+"?next="+secret)
			w.WriteHeader(http.StatusFound)
		},
		"type of a page": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", secret)
		},
		"no HTTP": func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_, _ = connection.Write([]byte(secret + "\r\n\r\n"))
				_ = connection.Close()
			}
		},
	} {
		served := httptest.NewServer(answer)
		c := newClient(t, Config{BaseURL: served.URL, Username: "u", Password: "p"})
		c.AddSecrets(map[string]any{"of another request": secret})
		a, err := c.Do(t.Context(), Request{Method: http.MethodGet, Path: "/rest/x"})
		if err == nil {
			_, err = a.Value()
		}
		served.Close()
		if err == nil || strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzRedact looks for texts from which a secret is not taken out, whatever is around it.
func FuzzRedact(f *testing.F) {
	f.Add("secret-1", "before ", " after", `\u0041%41&#65;`)
	f.Fuzz(func(t *testing.T, secret, before, after, other string) {
		if len(secret) < minSecret || strings.ContainsAny(secret, "*") || strings.Contains(withheld, secret) {
			t.Skip()
		}
		if !utf8.ValidString(secret) {
			t.Skip("Terraform hands over Unicode only: half a character would be completed by what is before it")
		}
		set := &secretSet{}
		set.add(secret, other)
		if got := set.redact(before + secret + after); strings.Contains(got, secret) {
			t.Errorf("%q is in %q", secret, got)
		}
	})
}
