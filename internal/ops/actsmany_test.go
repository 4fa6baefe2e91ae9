//go:build !race

package ops_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
)

// What an agent may not do by one verb it may not do by another with the same effect; a person may by each what
// they may by one; and each says why not in the same words.
func TestOneActOneCheck(t *testing.T) {
	for effect, of := range ways {
		for _, op := range ops.All {
			named := slices.ContainsFunc(of, func(w way) bool { return w.name == op.Name })
			if slices.Contains(op.Effects(), effect) != named {
				t.Errorf("%s: a way of %q in effects is %v, and here %v", op.Name, effect, !named, named)
			}
		}
		for _, w := range of {
			for _, course := range courses {
				if slices.Contains(w.not, course) || w.only != nil && !slices.Contains(w.only, course) {
					continue
				}
				for i, who := range []string{"an agent", "a person"} {
					if i == 1 && w.byAgent {
						continue
					}
					want := outcomes[effect][course][i]
					if i == 1 && slices.Contains(w.asks, course) {
						want = outcomes[effect][course][0]
					}
					if slices.Contains(w.refuses, course) {
						want = outcome{refused, " was superseded by "}
					}
					name := strings.TrimSpace(w.name + " " + w.what)
					t.Run(name+"/"+course+"/"+who, func(t *testing.T) {
						s := play(t, course, w.made)
						e := []*engine.Engine{s.agent, s.person}[i]
						before := s.isCurrent(s.of)
						reply, err := s.do(e, w.name, w.request(s))
						if w.persons && i == 0 {
							if !errors.Is(err, api.ErrForbidden) || s.isCurrent(s.of) != before {
								t.Errorf("got %v, %v, want that only a person may", reply, err)
							}
							return
						}
						if got := s.came(effect, reply, err); got != want {
							t.Errorf("got %q %q, want %q %q", got.is, got.words, want.is, want.words)
						}
					})
				}
			}
		}
	}
}
