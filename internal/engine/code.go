package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// workTree is the code around the user, found when it is first asked for.
type workTree struct {
	sync.Mutex
	tree  *code.Tree
	cache *code.Cache
}

// checksDir is where findings are remembered, below the directory of caches.
const checksDir = "checks"

// forget gives up what is remembered, to be found again.
func (w *workTree) forget() {
	w.Lock()
	defer w.Unlock()
	w.tree, w.cache = nil, nil
}

// codeType is the type of evidence that is a piece of code.
const codeType = "code"

// workTree gives the code around the user; nil where he stands nowhere.
func (e *Engine) workTree(ctx context.Context) (*code.Tree, *code.Cache, error) {
	if e.c.Dir == "" {
		return nil, nil, nil
	}
	e.code.Lock()
	defer e.code.Unlock()
	if e.code.tree != nil {
		return e.code.tree, e.code.cache, nil
	}
	tree, err := code.Open(ctx, e.c.Dir, e.c.Root)
	if err != nil {
		return nil, nil, sortedCode(err)
	}
	e.code.tree = tree
	if e.c.Cache != "" {
		sum := sha256.Sum256([]byte(tree.Root()))
		dir := filepath.Join(e.c.Cache, checksDir)
		_ = os.MkdirAll(dir, 0o700) // without it checks only take longer
		e.code.cache = code.NewCache(filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"))
	}
	return tree, e.code.cache, nil
}

// sortedCode gives an error about code its kind.
func sortedCode(err error) error {
	switch {
	case errors.Is(err, code.ErrInvalid):
		return &failure{kind: api.ErrInvalid, text: oneLine(err)}
	case errors.Is(err, code.ErrNotFound):
		return &failure{kind: api.ErrNotFound, text: oneLine(err)}
	}
	return err
}

// pins reads code refs and pins them to the bytes they have now.
func (e *Engine) pins(ctx context.Context, refs []string) ([]memory.Evidence, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	tree, _, err := e.workTree(ctx)
	if err != nil {
		return nil, err
	}
	if tree == nil {
		return nil, invalid("files: nothing says where %q is; set Config.Dir", memory.Cut(refs[0], 80))
	}
	var out []memory.Evidence
	for _, text := range refs {
		ev, err := tree.Parse(text, e.c.Dir)
		if err == nil {
			ev, err = tree.Pin(ctx, ev)
		}
		if err != nil {
			return nil, sortedCode(err)
		}
		out = append(out, ev)
	}
	return out, nil
}

// codeRefs writes the code refs of a record as they were typed.
func codeRefs(r *memory.Record) []string { return codeTexts(r.Header.Provenance.Evidence) }

func codeTexts(list []memory.Evidence) []string {
	var out []string
	for _, ev := range list {
		if ev.Type == codeType {
			out = append(out, code.Text(ev))
		}
	}
	return out
}

func onlyCode(list []memory.Evidence) []memory.Evidence {
	var out []memory.Evidence
	for _, ev := range list {
		if ev.Type == codeType {
			out = append(out, ev)
		}
	}
	return out
}

// pinned gives the code refs of memories as they were pinned last: when the
// memory was written, or by the latest verification of somebody entitled that
// pinned them anew.
func (e *Engine) pinned(ctx context.Context, items []*store.Item) ([][]memory.Evidence, error) {
	out := make([][]memory.Evidence, len(items))
	at := make(map[memory.ID]int)
	var ids []memory.ID
	for i, it := range items {
		if it == nil || it.Record == nil {
			continue
		}
		out[i] = onlyCode(it.Record.Header.Provenance.Evidence)
		if it.State.Verifications > 0 {
			at[it.Ref.ID] = i
			ids = append(ids, it.Ref.ID)
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	edges, err := e.store.Edges(ctx, memory.Forward, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	var claims []memory.ID
	for _, edge := range edges {
		if edge.Rel == memory.Speaks {
			claims = append(claims, edge.From)
		}
	}
	said, err := e.store.Get(ctx, claims...)
	if err != nil {
		return nil, sorted(err)
	}
	who, err := e.standing(ctx)
	if err != nil {
		return nil, err
	}
	latest := make(map[memory.ID]*memory.Record)
	for _, c := range said {
		if c == nil || c.Record == nil {
			continue
		}
		v, ok := c.Record.Body.(*memory.Verify)
		if !ok || v.Result != "" || len(onlyCode(v.Evidence)) == 0 {
			continue
		}
		i, ours := at[v.Of.ID]
		if !ours {
			continue
		}
		old := latest[v.Of.ID]
		if memory.MayVerify(who.Voice(c.Record), items[i].Record, who) && (old == nil || !old.Header.At.After(c.Record.Header.At.Time)) {
			latest[v.Of.ID] = c.Record
		}
	}
	for id, c := range latest {
		out[at[id]] = onlyCode(c.Body.(*memory.Verify).Evidence)
	}
	return out, nil
}
