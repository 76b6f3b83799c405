// The keywords of a request (7).

package simulator

import (
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// arguments are the keywords of a request: its body on POST, its query otherwise.
// A body that is a list becomes the keyword list_data.
func arguments(r *http.Request, body []byte) (*python.Dict, error) {
	if r.Method != http.MethodPost {
		return parseQuery(r.URL.RawQuery), nil
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "application/x-www-form-urlencoded":
		return parseQuery(string(body)), nil
	case len(body) == 0:
		return python.NewDict(), nil
	case media != "application/json" && !(strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")):
		return nil, python.ErrServer
	}
	value, err := python.Decode(body)
	if err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case *python.Dict:
		return value, nil
	case []any:
		return python.Pairs("list_data", value), nil
	}
	if python.Truthy(value) {
		return nil, python.ErrServer
	}
	return python.NewDict(), nil
}

// parseQuery keeps the first of repeated parameters, and a wrong escape as it stands.
func parseQuery(query string) *python.Dict {
	d := python.NewDict()
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		key, value = unescape(key), unescape(value)
		if _, there := d.Lookup(key); !there {
			d.Set(key, value)
		}
	}
	return d
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}
