package lives

import (
	"os"
	"strings"
	"testing"
)

func TestZZ(t *testing.T) {
	for _, old := range oldLives {
		if strings.Contains(old.lesson, os.Getenv("ZZ")) {
			l, broken := play(t, serverOptions(), old.steps)
			t.Log(strings.Join(l.trace, "\n"), broken, l.ids)
		}
	}
}
