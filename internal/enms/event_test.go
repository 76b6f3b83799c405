// Tests of the entries of the changelog, and of what they tell of an instance.

package enms

import (
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// entry4 and entry5 are rows of the changelog as eNMS 4 and 5 return them.
func entry4(id int, content string) Object {
	return Object{"id": json.Number(strconv.Itoa(id)), "time": "t" + strconv.Itoa(id), "user": "u", "content": content}
}

func entry5(id int, content, target string, properties map[string]any) Object {
	row := entry4(id, content)
	row["target_name"], row["history"] = target, nil
	if properties != nil {
		row["history"] = map[string]any{"properties": properties}
	}
	return row
}

func TestEventOf(t *testing.T) {
	t.Parallel()
	rename := func(old, now string) map[string]any {
		return map[string]any{"name": map[string]any{"old": old, "new": now}, "description": map[string]any{"old": "", "new": "x"}}
	}
	for name, test := range map[string]struct {
		row      Object
		verb     verb
		from, to string
	}{
		"creation":                {entry4(1, "CREATION: device 'kb-x'"), created, "", "kb-x"},
		"deletion":                {entry4(1, "DELETION: device 'kb-y'"), deleted, "kb-y", ""},
		"deletion of a quote":     {entry4(1, "DELETION: device 'it's'"), deleted, "it's", ""},
		"rename":                  {entry4(1, "UPDATE: device 'kb-y': (description: '' => 'also' | name: 'kb-x' => 'kb-y')"), renamed, "kb-x", "kb-y"},
		"rename first":            {entry4(1, "UPDATE: device 'b': (name: 'a' => 'b' | port: '22' => '23')"), renamed, "a", "b"},
		"rename alone":            {entry4(1, "UPDATE: python_snippet_service '[w2] s': (name: '[w] s' => '[w2] s')"), renamed, "[w] s", "[w2] s"},
		"with its scoped name":    {entry4(1, "UPDATE: workflow 'V': (name: 'W' => 'V' | scoped_name: 'W' => 'V')"), renamed, "W", "V"},
		"arrow in the name":       {entry4(1, "UPDATE: device 'a' => 'b': (name: 'x' => 'a' => 'b')"), renamed, "x", "a' => 'b"},
		"line feed in the name":   {entry4(1, "UPDATE: device 'a\nb': (name: 'x' => 'a\nb')"), renamed, "x", "a\nb"},
		"of another":              {entry4(1, "UPDATE: device 'c': (description: '' => 'x' | name: 'a' => 'b')"), 0, "", ""},
		"scoped name":             {entry4(1, "UPDATE: workflow 'b': (scoped_name: 'a' => 'b')"), 0, "", ""},
		"no rename":               {entry4(1, "UPDATE: device 'b': (port: '22' => '23')"), 0, "", ""},
		"two that it may be":      {entry4(1, "UPDATE: device 'b': (description: '' => ' | name: 'z' => 'b' | name: 'a' => 'b')"), 0, "", ""},
		"cut off":                 {entry4(1, "UPDATE: device 'b': (name: 'a' => 'b'"), 0, "", ""},
		"another message":         {entry4(1, "Starting pool update"), 0, "", ""},
		"creation of 5":           {entry5(1, "CREATION: device 'x' ({'name': 'x'})", "x", nil), created, "", "x"},
		"deletion of 5":           {entry5(1, "DELETION: device 'x'", "", nil), deleted, "x", ""},
		"rename of 5":             {entry5(1, "UPDATE: device 'b':\n\n- name: 'a' => 'b'", "b", rename("a", "b")), renamed, "a", "b"},
		"text of a rename of 5":   {entry5(1, "UPDATE: device 'b':\n\n- description: '' => '\n- name: 'a' => 'b'", "b", map[string]any{"description": map[string]any{}}), 0, "", ""},
		"undone in the builder":   {entry5(1, "UPDATE: workflow 'b':\n\n- soft_deleted: 'True' => 'False'", "b", map[string]any{"soft_deleted": map[string]any{"old": true, "new": false}}), created, "", "b"},
		"name from nothing in 5":  {entry5(1, "UPDATE: device 'b':\n\n- name: '' => 'b'", "b", rename("", "b")), 0, "", ""},
		"without an id":           {Object{"content": "CREATION: device 'x'"}, 0, "", ""},
		"deletion in the builder": {entry5(1, "UPDATE: workflow 'b':\n\n- soft_deleted: 'False' => 'True'", "b", map[string]any{"soft_deleted": map[string]any{"old": false, "new": true}}), deleted, "b", ""},
	} {
		v, is := eventOf(test.row)
		if !is {
			v = event{}
		}
		if v.verb != test.verb || v.from != test.from || v.to != test.to {
			t.Errorf("%s: verb %d from %q to %q, want %d, %q, %q", name, v.verb, v.from, v.to, test.verb, test.from, test.to)
		}
		if is && v.typ == "" {
			t.Errorf("%s: no type", name)
		}
	}
}

func TestMark_withoutID(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`{"time": "t"}`, `{"id": 0}`, `{"id": "x"}`} {
		if err := json.Unmarshal([]byte(raw), new(Mark)); err == nil {
			t.Errorf("%s is a mark", raw)
		}
	}
	if err := json.Unmarshal([]byte(`{"id": 1, "time": "t"}`), new(Mark)); err != nil {
		t.Errorf("the first row is no mark: %v", err)
	}
}

func TestFate(t *testing.T) {
	t.Parallel()
	const x, y = "x", "y"
	rename := func(id int, from, to string) Object {
		return entry4(id, "UPDATE: device '"+to+"': (name: '"+from+"' => '"+to+"')")
	}
	creation := func(id int, name string) Object { return entry4(id, "CREATION: device '"+name+"'") }
	deletion := func(id int, name string) Object { return entry4(id, "DELETION: device '"+name+"'") }
	for name, test := range map[string]struct {
		rows                   []Object
		now                    string // Subject.NameNow
		after                  bool
		renamed, deleted, made string // the times of the entries
	}{
		"nothing":                     {now: y},
		"renamed":                     {rows: []Object{rename(2001, x, y)}, now: y, renamed: "t2001"},
		"renamed twice":               {rows: []Object{rename(2001, x, "z"), rename(2002, "z", y)}, now: y, renamed: "t2002"},
		"renamed, and a new one made": {rows: []Object{rename(2001, x, y), creation(2002, x)}, now: y, renamed: "t2001", made: "t2002"},
		"renamed and back":            {rows: []Object{rename(2001, x, y), rename(2002, y, x), rename(2003, "d", y)}, now: x, renamed: "t2002"},
		"renamed by others, and back after another was":   {rows: []Object{rename(2001, x, y), rename(2002, "d", x), rename(2003, x, "d"), rename(2004, y, x)}, now: x, renamed: "t2004", made: "t2002"},
		"deleted, and another made and renamed":           {rows: []Object{deletion(2001, x), creation(2002, x), rename(2003, x, y)}, now: y, deleted: "t2001", made: "t2002"},
		"deleted, and another renamed twice":              {rows: []Object{deletion(2001, x), creation(2002, "d"), rename(2003, "d", x), rename(2004, x, y)}, now: y, deleted: "t2001", made: "t2003"},
		"deleted, and another made with its name":         {rows: []Object{deletion(2001, x), creation(2002, x)}, now: x, deleted: "t2001", made: "t2002"},
		"replaced, then by others, who rename theirs":     {rows: []Object{deletion(2001, x), creation(2002, x), deletion(2003, x), creation(2004, x), rename(2005, x, y)}, now: y, after: true, deleted: "t2003", made: "t2004"},
		"renamed to another name":                         {rows: []Object{rename(2001, x, "z")}, now: y},
		"renamed by an entry that became visible late":    {rows: []Object{rename(1500, x, y)}, now: y, renamed: "t1500"},
		"renamed before another was made":                 {rows: []Object{rename(1500, x, y), creation(1501, x)}, now: y},
		"renamed before another got its name":             {rows: []Object{rename(1500, x, y), rename(1501, "d", x), rename(2001, x, "d")}, now: "d", renamed: "t2001"},
		"renamed long before":                             {rows: []Object{rename(900, x, y)}, now: y},
		"exchanged":                                       {rows: []Object{rename(2001, x, "t"), rename(2002, y, x), rename(2003, "t", y)}, now: y, renamed: "t2003", made: "t2002"},
		"deleted":                                         {rows: []Object{deletion(2001, x)}, deleted: "t2001"},
		"deleted before":                                  {rows: []Object{deletion(1999, x)}},
		"renamed and deleted":                             {rows: []Object{rename(2001, x, y), deletion(2002, y), creation(2003, x)}, deleted: "t2002", made: "t2003"},
		"deleted, and its id is another's":                {rows: []Object{deletion(2001, x), creation(2002, y)}, now: y, deleted: "t2001"},
		"deleted, and another writes the text":            {rows: []Object{deletion(2001, x), creation(2002, y), rename(2003, x, y)}, now: y, deleted: "t2001"},
		"replaced by this provider":                       {rows: []Object{deletion(2001, x), creation(2002, x)}, after: true},
		"replaced by this provider, then by others":       {rows: []Object{deletion(2001, x), creation(2002, x), deletion(2003, x), creation(2004, x)}, after: true, deleted: "t2003", made: "t2004"},
		"replaced by this provider, then renamed":         {rows: []Object{deletion(2001, x), creation(2002, x), rename(2003, x, y)}, now: y, after: true, renamed: "t2003"},
		"made when one that had got its name was deleted": {rows: []Object{rename(2001, "a", x), deletion(2002, x), creation(2003, x)}, now: x, after: true},
		"the same, then deleted and made by others":       {rows: []Object{rename(2001, "a", x), deletion(2002, x), creation(2003, x), deletion(2004, x), creation(2005, x)}, now: x, after: true, deleted: "t2004", made: "t2005"},
		"the same, then renamed":                          {rows: []Object{rename(2001, "a", x), deletion(2002, x), creation(2003, x), rename(2004, x, y)}, now: y, after: true, renamed: "t2004"},
		"made when another had given up its name":         {rows: []Object{rename(2001, x, y), creation(2002, x)}, now: y, after: true},
		"created after the mark, which was not noticed":   {rows: []Object{creation(2001, x), deletion(2002, x)}, deleted: "t2002"},
		"created after the mark, then renamed unnoticed":  {rows: []Object{creation(2001, x)}, now: y},
		"another renamed":                                 {rows: []Object{rename(2001, "d", y)}, now: y},
		"another deleted":                                 {rows: []Object{deletion(2001, y)}},
		"deleted as another type":                         {rows: []Object{entry4(2001, "DELETION: link 'x'")}},
	} {
		var events []event
		for _, row := range test.rows {
			v, _ := eventOf(row)
			events = append(events, v)
		}
		s := Subject{Type: "device", Name: x, NameNow: test.now, Since: Mark{ID: 2000}, After: test.after}
		fate := s.fate(events)
		for what, is := range map[string]struct {
			change *Change
			want   string
		}{"renamed": {fate.Renamed, test.renamed}, "deleted": {fate.Deleted, test.deleted}, "made": {fate.Made, test.made}} {
			at := ""
			if is.change != nil {
				at = is.change.Time
			}
			if at != is.want {
				t.Errorf("%s: %s by the entry %q, want %q", name, what, at, is.want)
			}
		}
	}
}

// Changes are those of an author and of an instance, the latest first.
func TestChanges(t *testing.T) {
	t.Parallel()
	s, _ := operated(t, simulator.V47)
	s.Add(t, "device", Object{"name": "b", "vendor": "x"})
	for what, test := range map[string]struct {
		selection ChangeSelection
		want      []string
	}{
		"of a device":       {ChangeSelection{Author: "admin", Type: "device", Name: "b", Most: 9}, []string{"UPDATE", "CREATION"}},
		"the latest":        {ChangeSelection{Type: "device", Name: "b", Most: 1}, []string{"UPDATE"}},
		"by another author": {ChangeSelection{Author: "bob", Most: 9}, nil},
		"of another type":   {ChangeSelection{Type: "link", Name: "b", Most: 9}, nil},
		"later":             {ChangeSelection{Type: "device", Name: "b", Since: "9", Most: 9}, nil},
	} {
		found, err := s.client(t).Changes(t.Context(), test.selection)
		var got []string
		for _, change := range found {
			got = append(got, change.Action)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
}

func TestChangeOf(t *testing.T) {
	t.Parallel()
	vendor := map[string]any{"vendor": map[string]any{"old": "x", "new": "y"}}
	values := map[string]Changed{"vendor": {"x", "y"}}
	for content, want := range map[string]Change{
		"UPDATE: device 'a'":   {Action: "UPDATE", Type: "device", Name: "a", Values: values},
		"CREATION: device 'a'": {Action: "CREATION", Type: "device", Name: "a"},
		"Starting pool update": {},
	} {
		row := entry5(7, content, "a", vendor)
		row["source"] = "rest"
		want.Time, want.Author, want.Source, want.Content = "t7", "u", "rest", content
		if got := changeOf(row); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if got := changeOf(entry5(7, "UPDATE: device 'a'", "a", nil)); got.Values != nil {
		t.Errorf("without a history: %v", got.Values)
	}
}

// A search for names finds what created, deleted or renamed an instance with exactly one of them.
func TestPatternOf(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(patternOf([]string{"a.b", "c"}))
	for content, want := range map[string]bool{
		"CREATION: device 'a.b'": true, "DELETION: device 'c'": true, "UPDATE: device 'x': (name: 'c' => 'x')": true, "UPDATE: device 'c': (name: 'x' => 'c')": true,
		"UPDATE: service 'x': (soft_deleted: 'False' => 'True')": true, "CREATION: device 'aXb'": false, "CREATION: device 'cc'": false, "UPDATE: device 'c': (vendor: 'x' => 'y')": false,
	} {
		if got := pattern.MatchString(content); got != want {
			t.Errorf("%s is found: %t", content, got)
		}
	}
}

func TestWroteLast(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "http://127.0.0.1:1")
	for by, want := range map[any]bool{nil: true, c.user: true, "another": false} {
		row := Object{}
		if by != nil {
			row["last_modified_by"] = by
		}
		if got := c.wroteLast(row); got != want {
			t.Errorf("by %v: %t", by, got)
		}
	}
}

func TestAtLeast(t *testing.T) {
	t.Parallel()
	for _, n := range []int64{1, 7, 9, 10, 19, 99, 100, 909, 9255, 92552, 99999, 1000000} {
		pattern := regexp.MustCompile(atLeast(n))
		for m := max(0, n-1100); m < n+11000; m++ {
			if got := pattern.MatchString(strconv.FormatInt(m, 10)); got != (m >= n) {
				t.Fatalf("atLeast(%d) matches %d: %v", n, m, got)
			}
		}
	}
}

// A caller who asks for a mark while it is asked for sends no request of its own.
func TestFindMark_once(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.Options{})
	s.Add(t, "device", Object{"name": "a"})
	mark := s.client(t).TakeMark(t.Context())
	s.Set(t)
	c, second := s.client(t), make(chan error, 1)
	var begin sync.Once
	s.Intercept(func(http.ResponseWriter, *http.Request, []byte) bool {
		begin.Do(func() {
			go func() {
				_, err := c.questions.marks.Ask(t.Context(), changelogType, strconv.FormatInt(mark.ID, 10))
				second <- err
			}()
		})
		return false
	})
	status, err := c.FindMark(t.Context(), *mark)
	if err = cmp.Or(err, <-second); status != MarkFound || err != nil || s.Count("") != 1 {
		t.Errorf("%v, %v, %q", status, err, s.Requests())
	}
}
