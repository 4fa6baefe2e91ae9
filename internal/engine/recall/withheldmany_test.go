//go:build !race

package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// The line that answers arrives of a log, a list and a text without full stops, though all of it is too long.
func TestALineOfALongTextArrives(t *testing.T) {
	t.Parallel()
	long := func(line func(i int) string, answer string) string {
		var b strings.Builder
		for i := range 600 {
			if i == 300 {
				b.WriteString(answer)
			}
			b.WriteString(line(i))
		}
		return b.String()
	}
	for what, c := range map[string]struct{ text, question, answer string }{
		"a log": {long(func(i int) string {
			return fmt.Sprintf("2026-11-26T10:00:00Z INFO worker[%d] handled in %d ms\n", i, i)
		}, "2026-11-26T11:00:00Z ERROR disk is full on host beluga\n"), "which host has a full disk?", "beluga"},
		"YAML": {long(func(i int) string { return fmt.Sprintf("service%d:\n  port: %d\n  replicas: 3\n", i, 1000+i) },
			"billing:\n  port: 9417\n  replicas: 3\n"), "which port has billing?", "9417"},
		"a list": {long(func(i int) string { return fmt.Sprintf("- plant %d needs water every %d days\n", i, i%7) },
			"- the orchid needs rainwater from the barrel\n"), "what does the orchid need?", "barrel"},
		"speech": {long(func(i int) string { return fmt.Sprintf("and then we went on to house %d and talked ", i) },
			"and the code of the gate is 4711 "), "what is the code of the gate?", "4711"},
	} {
		e := open(t, "mem", engine.Config{})
		remember(t, e, c.text)
		for _, budget := range []int{400, 2000} {
			pack, err := e.Context(t.Context(), api.ContextRequest{Query: c.question, Budget: budget})
			if got := rendered(t, pack, err); !strings.Contains(got, c.answer) {
				t.Errorf("%s, context of %d: %.400s", what, budget, got)
			}
			r, err := e.Recall(t.Context(), api.RecallRequest{Query: c.question, Budget: budget})
			if err != nil || len(r.Results) == 0 || !strings.Contains(r.Results[0].Text, c.answer) {
				t.Errorf("%s, recall of %d: %v, %.400v", what, budget, err, r.Results)
			}
		}
	}
}
