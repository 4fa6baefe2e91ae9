package views

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Edits gives what was noted of edits of a repository: by hooks on this machine, and signed at commits.
func (e *Views) Edits(rd *trust.Reading, r git.Repository) blame.Source {
	return func(paths []string) ([]*blame.Note, error) {
		var out []*blame.Note
		var err error
		if e.C.Data != "" {
			if out, err = (blame.Notes{Dir: filepath.Join(e.C.Data, receipts.EditsDir)}).Of(r, paths); err != nil {
				return nil, &core.Failure{Kind: api.ErrUnavailable, Text: core.OneLine(err)}
			}
		}
		signed, err := e.committed(rd, paths)
		if err != nil {
			return nil, err
		}
		out = append(out, signed...)
		slices.SortStableFunc(out, func(a, b *blame.Note) int { return cmp.Compare(a.At, b.At) })
		return out, nil
	}
}

// committed returns what was signed at commits about some paths, or about all for nil.
func (e *Views) committed(rd *trust.Reading, paths []string) (out []*blame.Note, err error) {
	spaces, err := e.ReadSpaces(rd)
	if err != nil || len(spaces) == 0 {
		return nil, core.Classify(err)
	}
	base, err := rd.Voices()
	if err != nil {
		return nil, err
	}
	says := []string{core.Committed}
	if paths != nil {
		says = nil
		for _, p := range paths {
			says = append(says, blame.InRecord(p))
		}
	}
	had := make(map[memory.ID]bool)
	for _, text := range says {
		for it, err := range e.Store.List(rd, store.Query{
			Kinds: []memory.Kind{memory.KindMark}, Spaces: spaces, Says: text,
		}) {
			if err != nil {
				return nil, core.Classify(err)
			}
			if it.Record == nil || had[it.Ref.ID] {
				continue
			}
			had[it.Ref.ID] = true
			for _, n := range signedNotes(it, base) {
				if paths == nil || slices.Contains(paths, n.Path) {
					out = append(out, n)
				}
			}
		}
	}
	return out, nil
}

// CommittedIn reads what a session wrote of a commit; nil is that a record says nothing of it that counts.
func CommittedIn(it *store.Item, base *trust.Context) *blame.Record {
	m, is := it.Record.Body.(*memory.Mark)
	if !is || m.Verb != core.Committed || it.Doubt == store.Forged || !it.State.Live() {
		return nil
	}
	if voice, fault := base.Ring.Judge(it.Record); fault != state.Sound || voice.Principal == "" {
		return nil
	}
	var r blame.Record
	if json.Unmarshal([]byte(m.Value), &r) != nil {
		return nil
	}
	return &r
}

func signedNotes(it *store.Item, base *trust.Context) []*blame.Note {
	r := CommittedIn(it, base)
	if r == nil {
		return nil
	}
	notes := r.Notes()
	for _, n := range notes {
		if n.Ref, n.By = it.Ref.String(), base.By(it.Record); n.By != "" {
			n.Key = base.Ring.Voice(it.Record).Principal
		}
	}
	return notes
}

// Followed returns the commits of sessions that had been given one of some records, or said one of them.
func (e *Views) Followed(rd *trust.Reading, ids []memory.ID, most int) (out []api.Followed, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	edges, err := e.Store.Edges(rd, graph.Forward, ids...)
	if err != nil {
		return nil, core.Classify(err)
	}
	var from []memory.ID
	for _, edge := range edges {
		if edge.Rel == graph.Recalled || edge.Rel == graph.Speaks {
			from = append(from, edge.From)
		}
	}
	slices.SortFunc(from, memory.ID.Compare)
	if from = slices.Compact(from); len(from) == 0 {
		return nil, nil
	}
	reads, err := e.Reads(rd)
	if err != nil {
		return nil, err
	}
	base, err := rd.Voices()
	if err != nil {
		return nil, err
	}
	items, err := rd.Get(from...)
	if err != nil {
		return nil, core.Classify(err)
	}
	for _, it := range core.Present(items) {
		if it.Record == nil || !reads(it.Record.Header.Space) {
			continue
		}
		if r := CommittedIn(it, base); r != nil {
			f := api.Followed{Commit: r.Commit, Session: r.Session, Host: r.Host, At: r.At, Noted: it.Ref.String()}
			for _, file := range r.Files {
				f.Files = append(f.Files, file.Path+":"+file.Lines)
			}
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b api.Followed) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Commit, b.Commit), cmp.Compare(a.Noted, b.Noted))
	})
	return out[:min(len(out), most)], nil
}
