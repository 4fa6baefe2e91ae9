//go:build !race

package recall_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// Questions about what was said and about what never was, to a store of all old texts of pairs.txt: how many
// answers come first, how many are called weak, and how often nothing is given but what is called weak.
func TestAnswersAndSilence(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "memory.db"), engine.Config{})
	for _, held := range []bool{false, true} {
		for _, p := range saidPairs(t, held) {
			if _, err := e.Remember(t.Context(), api.RememberRequest{Text: p.old}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, half := range []struct {
		held                      bool
		first, silent, calledWeak float64
	}{{false, 0.95, 0.96, 0.01}, {true, 0.90, 0.75, 0.09}} {
		var c struct{ answers, first, weak, silent, kept int }
		for _, q := range askedOf(t, half.held) {
			r, err := e.Search(t.Context(), api.SearchRequest{Query: q.question, Limit: 5})
			if err != nil {
				t.Fatal(err)
			}
			if q.answer == "" {
				c.silent++
				if given(r.Results) == "" {
					c.kept++
				} else if !half.held {
					t.Logf("%s: %s", q.question, given(r.Results))
				}
				continue
			}
			c.answers++
			for i, one := range r.Results {
				if strings.Contains(strings.ToLower(one.Text), strings.ToLower(q.answer)) {
					if i == 0 {
						c.first++
					}
					if one.Weak {
						c.weak++
					}
					break
				}
			}
		}
		t.Logf("held %v: %+v", half.held, c)
		if got := float64(c.first) / float64(c.answers); got < half.first {
			t.Errorf("held %v: %.3f of the answers come first, were at least %.2f", half.held, got, half.first)
		}
		if got := float64(c.kept) / float64(c.silent); got < half.silent {
			t.Errorf("held %v: silence %.3f, was at least %.2f", half.held, got, half.silent)
		}
		if got := float64(c.weak) / float64(c.answers); got > half.calledWeak {
			t.Errorf("held %v: %.3f of the answers are called weak, were at most %.2f", half.held, got, half.calledWeak)
		}
	}
}

type saidQuestion struct{ question, answer string } // no answer: it was never said

func askedOf(t *testing.T, held bool) (all []saidQuestion) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "questions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		f := strings.Split(strings.TrimSpace(string(line)), " | ")
		if f[0] != "answer" && f[0] != "silent" {
			continue
		}
		if (saidPair{new: f[1]}).held() == held {
			all = append(all, saidQuestion{f[1], strings.Join(f[2:], "")})
		}
	}
	return all
}

// given returns the first result that is not called weak.
func given(all []api.Result) string {
	for _, r := range all {
		if !r.Weak {
			return r.Text
		}
	}
	return ""
}
