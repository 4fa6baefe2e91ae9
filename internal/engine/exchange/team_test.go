package exchange_test

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func conflicts(t *testing.T, e *engine.Engine) (api.ConflictsReply, map[string]bool) {
	t.Helper()
	r, err := e.Conflicts(t.Context(), api.OpenRequest{Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	named := make(map[string]bool)
	for _, l := range r.Conflicts {
		named[l.Old.Ref], named[l.New.Ref] = true, true
	}
	for _, f := range r.Forks {
		named[f.Shown.Ref] = true
		for _, s := range f.Siblings {
			named[s.Ref] = true
		}
	}
	return r, named
}
