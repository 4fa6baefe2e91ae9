package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/code"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ChecksDir is where findings are remembered, below the directory of caches.
const ChecksDir = "checks"

// WorkTree returns the working tree around the user's directory, or nil if it is in none.
func (e *Scores) WorkTree(rd *Reading) (*code.Tree, *code.Cache, error) {
	if e.C.Dir == "" {
		return nil, nil, nil
	}
	e.Code.Lock()
	defer e.Code.Unlock()
	if e.Code.Tree != nil {
		return e.Code.Tree, e.Code.Cache, nil
	}
	tree, err := code.Open(rd, e.C.Dir, e.C.Root)
	if err != nil {
		return nil, nil, SortedCode(err)
	}
	e.Code.Tree = tree
	if e.C.Cache != "" {
		sum := sha256.Sum256([]byte(tree.Root()))
		dir := filepath.Join(e.C.Cache, ChecksDir)
		_ = os.MkdirAll(dir, 0o700) // without it checks only take longer
		e.Code.Cache = code.NewCache(filepath.Join(dir, hex.EncodeToString(sum[:8])+".json"))
	}
	return tree, e.Code.Cache, nil
}

// SortedCode classifies an error about code.
func SortedCode(err error) error {
	switch {
	case errors.Is(err, code.ErrInvalid):
		return &core.Failure{Kind: api.ErrInvalid, Text: core.OneLine(err)}
	case errors.Is(err, code.ErrNotFound):
		return &core.Failure{Kind: api.ErrNotFound, Text: core.OneLine(err)}
	}
	return err
}

// Pins reads code refs and pins them to the bytes they have now.
func (e *Scores) Pins(rd *Reading, refs []string) ([]memory.Evidence, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	tree, _, err := e.WorkTree(rd)
	if err != nil {
		return nil, err
	}
	if tree == nil {
		return nil, core.Invalid("files: cannot find %q without a directory; set Config.Dir", shorten.To(refs[0], 80))
	}
	var out []memory.Evidence
	for _, text := range refs {
		ev, err := tree.Parse(text, e.C.Dir)
		if err == nil {
			ev, err = tree.Pin(rd, ev)
		}
		if err != nil {
			return nil, SortedCode(err)
		}
		out = append(out, ev)
	}
	return out, nil
}

func onlyCode(list []memory.Evidence) []memory.Evidence {
	var out []memory.Evidence
	for _, ev := range list {
		if ev.Type == core.CodeType {
			out = append(out, ev)
		}
	}
	return out
}

// Pinned returns the code refs of memories as they were pinned last: when the
// memory was written, or by the latest verification of somebody entitled that
// pinned them again.
func (e *Scores) Pinned(rd *Reading, items []*store.Item) ([][]memory.Evidence, error) {
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
	edges, err := e.Store.Edges(rd, graph.Forward, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var claims []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.Speaks {
			claims = append(claims, edge.From)
		}
	}
	said, err := rd.Get(claims...)
	if err != nil {
		return nil, core.Classify(err)
	}
	who, err := rd.Keyring()
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
		if state.MayVerify(who.Voice(c.Record), items[i].Record, who) && (old == nil ||
			!old.Header.At.Time().After(c.Record.Header.At.Time())) {
			latest[v.Of.ID] = c.Record
		}
	}
	for id, c := range latest {
		out[at[id]] = onlyCode(c.Body.(*memory.Verify).Evidence)
	}
	return out, nil
}
