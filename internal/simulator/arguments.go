// The keywords of a request (7).

package simulator

import (
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// arguments are the keywords of a request: its body on POST, its query otherwise.
// A body that is a list becomes the keyword list_data.
func arguments(r *http.Request, body []byte) (*dict, error) {
	if r.Method != http.MethodPost {
		return parseQuery(r.URL.RawQuery), nil
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "application/x-www-form-urlencoded":
		return parseQuery(string(body)), nil
	case len(body) == 0:
		return newDict(), nil
	case media != "application/json" && !(strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")):
		return nil, errServer
	}
	value, err := decodeJSON(body)
	if err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case *dict:
		return value, nil
	case []any:
		return pairs("list_data", value), nil
	}
	if truthy(value) {
		return nil, errServer
	}
	return newDict(), nil
}

// parseQuery keeps the first of repeated parameters, and a wrong escape as it stands.
func parseQuery(query string) *dict {
	d := newDict()
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		key, value = unescape(key), unescape(value)
		if _, there := d.lookup(key); !there {
			d.set(key, value)
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
