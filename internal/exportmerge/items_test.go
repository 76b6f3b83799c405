// This file tests how items are added to the text of blocks, objects and lists, and removed from it.

package exportmerge

import (
	"slices"
	"testing"
)

// Comments, indentation and separators stay as people have them. In the table, the value v of a block, or the block itself,
// loses the items of gone, and gets new ones behind items, by their indices.
func TestFile_rewrite(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		gone  []int
		added map[int][]string
		want  string
	}{
		{"v = {\n    a = 1\n    b = 2\n  }", []int{0}, nil, "v = {\n    b = 2\n  }"},
		{"v = {\n    a = 1\n    b = 2\n  }", []int{1}, map[int][]string{-1: {"x = 1", "y = 2"}, 0: {"z = 3"}}, "v = {\n    x = 1\n    y = 2\n    a = 1\n    z = 3\n  }"},
		{"v = { # of v\n      # of a\n      a = 1 # behind a\n\n  }", nil, map[int][]string{-1: {"x = 1"}, 0: {"y = 2"}}, "v = { # of v\n      x = 1\n      # of a\n      a = 1 # behind a\n      y = 2\n\n  }"},
		{"v = {\n    a = 1\n\n    # the end\n  }", []int{0}, nil, "v = {\n\n    # the end\n  }"},
		{"v = {\n    a = 1\n\n\n  }", []int{0}, nil, "v = {\n  }"},
		{"v = {\n  }", nil, map[int][]string{-1: {"a = 1"}}, "v = {\n    a = 1\n  }"},
		{"v = {}", nil, map[int][]string{-1: {"a = 1", "b = 2"}}, "v = { a = 1, b = 2 }"},
		{"v = [\n    1,\n    2\n  ]", nil, map[int][]string{0: {"3"}, 1: {"4", "5"}}, "v = [\n    1,\n    3,\n    2,\n    4,\n    5,\n  ]"},
		{"v = [\n    1,\n    2 ,\n  ]", nil, map[int][]string{1: {"3"}}, "v = [\n    1,\n    2 ,\n    3,\n  ]"},
		{"v = [\n    1,\n    2\n  ]", []int{0}, nil, "v = [\n    2\n  ]"},
		{"v = []", nil, map[int][]string{-1: {"1", "2"}}, "v = [1, 2]"},
		{"v = [1, 2]", []int{0, 1}, nil, "v = []"},
		{"v = [1, 2]", []int{0}, map[int][]string{1: {"3"}}, "v = [2, 3]"},
		{"v = [ 1,2 /* two */ ]", []int{0}, map[int][]string{-1: {"0"}}, "v = [ 0,2 /* two */ ]"},
		{"v = [1, /* one */ 2, 3]", []int{1}, nil, "v = [1, /* one */ 3]"},
		{"v = [1, /* one */ 2]", []int{1}, nil, "v = [1 /* one */ ]"},
		{"v = [1, // one\n    2]", []int{1}, nil, "v = [1 // one\n    ]"},
		{"v = [1, 2, # two\n    3, 4]", []int{2}, nil, "v = [1, 2, # two\n    4]"},
		// Some items, or a bracket, share a line:
		{"v = {\n    a = 1, b = 2\n  }", []int{1}, map[int][]string{1: {"c = 3"}}, "v = {\n    a = 1, c = 3\n  }"},
		{"v = { a = 1\n    b = 2\n  }", []int{0}, nil, "v = { b = 2\n  }"},
		{"v = {\n    a = 1\n    b = 2 }", []int{1}, nil, "v = {\n    a = 1 }"},
		{"v = {\n    a = 1\n    /* end */ }", nil, map[int][]string{0: {"b = 2"}}, "v = {\n    a = 1, b = 2\n    /* end */ }"},
		{"v = {\n    a = 1\n    /* of b */ b = 2\n  }", []int{0}, nil, "v = {\n    b = 2\n  }"},
		// The block itself:
		{"v = 1", []int{0}, nil, ""},
		{"v = 1\n\n  nested {\n  }", []int{1}, map[int][]string{0: {"w = 2"}}, "v = 1\n  w = 2"},
	} {
		f := codeOf(t, map[string][]byte{"main.tf": []byte("b {\n  " + test.text + "\n}\n")}).files["main.tf"]
		p := fileBlock{f, f.body.Blocks[0]}
		node := p.find(itemPath{"v"})
		all, byItem := f.items(itemPath{"v"}, node)
		if !byItem || test.text[:5] == "v = 1" {
			node = p.block
			all, _ = f.items(nil, node)
		}
		made := edits{map[int]string{}, test.added}
		for n, i := range all {
			if !slices.Contains(test.gone, n) {
				made.kept[n] = string(f.text[i.from:i.to])
			}
		}
		r := node.Range()
		if err := f.splice(r.Start.Byte, r.End.Byte, f.rewrite(node, all, made)); err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		want := "b {\n  " + test.want + "\n}\n"
		if test.want == "" {
			want = "b {\n}\n"
		}
		if have := string(f.text); have != want {
			t.Errorf("of\n%s\nis made\n%s\nand not\n%s", test.text, have, want)
		}
	}
}
