package core

import (
	"sync"

	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/memory"
)

// workTree is the code around the user, found when it is first asked for.
type workTree struct {
	sync.Mutex
	Tree  *code.Tree
	Cache *code.Cache
}

// Forget clears the cache.
func (w *workTree) Forget() {
	w.Lock()
	defer w.Unlock()
	w.Tree, w.Cache = nil, nil
}

// CodeType is the type of evidence that is a piece of code.
const CodeType = "code"

// CodeRefs writes the code refs of a record as they were typed.
func CodeRefs(r *memory.Record) []string { return CodeTexts(r.Header.Provenance.Evidence) }

func CodeTexts(list []memory.Evidence) []string {
	var out []string
	for _, ev := range list {
		if ev.Type == CodeType {
			out = append(out, code.Text(ev))
		}
	}
	return out
}
