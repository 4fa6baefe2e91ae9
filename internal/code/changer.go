package code

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/internal/symbol"
)

// How far back the commit that changed a span is looked for.
const (
	maxVersions = 400             // of one file
	maxVersion  = 64 << 20        // bytes of files of all refs
	maxWalks    = 32              // logs, of which each begins where files were renamed
	maxSeeking  = 3 * time.Second // on a slow machine, or in a history without end
)

// A seek is a ref whose span is not as it was, on the way back through the history of
// its file to the commit that made it what it is at HEAD.
type seek struct {
	v    *verdict
	mark string // of the span at HEAD
}

// A walk is one way back: from commits, by the path that a file has there.
type walk struct {
	from  string
	seeks map[string][]*seek
	seen  map[string]int // versions of a file so far
	next  map[string]*walk
}

// changers finds for each ref the commit that made its span what it is at HEAD. A ref
// for which that cannot be told within bounds keeps no commit.
func (l *look) changers(ctx context.Context, list []*verdict) error {
	running, stop := context.WithTimeout(ctx, maxSeeking)
	defer stop()
	first := &walk{from: l.head, seeks: make(map[string][]*seek), seen: make(map[string]int)}
	for _, v := range list {
		f, err := l.blob(ctx, v.f.Path, v.blob)
		if err != nil {
			continue
		}
		if mark, ok := l.mark(ctx, v, f); ok {
			first.seeks[v.f.Path] = append(first.seeks[v.f.Path], &seek{v, mark})
		}
	}
	l.read = 0
	walks := []*walk{first}
	for n := 0; len(walks) > 0 && n < maxWalks; n++ {
		w := walks[0]
		if walks = walks[1:]; len(w.seeks) == 0 {
			continue
		}
		w.next = make(map[string]*walk)
		err := l.log(running, w.from, slices.Collect(maps.Keys(w.seeks)), func(c *commit, t touch) bool {
			if w == first && l.newest[t.path] == nil && t.now != "" && w.seeks[t.path] != nil {
				l.newest[t.path] = c
			}
			return l.step(running, w, c, t)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || running.Err() != nil {
			l.silent = true // it is looked for again another time
			return nil
		}
		for _, from := range slices.Sorted(maps.Keys(w.next)) {
			walks = append(walks, w.next[from])
		}
	}
	return nil
}

// step looks at what one commit did to a file. It reports whether there is still
// something to be found on this walk.
func (l *look) step(ctx context.Context, w *walk, c *commit, t touch) bool {
	seeks := w.seeks[t.path]
	if len(seeks) == 0 {
		return true
	}
	w.seen[t.path]++
	if w.seen[t.path] > maxVersions {
		delete(w.seeks, t.path)
		return len(w.seeks) > 0
	}
	before, from := t.path, ""
	if t.came() {
		if old := l.cameFrom(ctx, c, t.path); old.id != "" {
			before, from, t.was = old.at, c.id+"^@", []string{old.id}
		}
	}
	var open []*seek
	for _, s := range seeks {
		if l.read > maxVersion || ctx.Err() != nil {
			return false
		}
		did, ok := l.did(ctx, s, t, before)
		switch {
		case did:
			s.v.by = c
		case ok:
			open = append(open, s)
		}
	}
	if w.seeks[t.path] = open; from != "" || len(open) == 0 {
		delete(w.seeks, t.path)
	}
	if from != "" && len(open) > 0 {
		n := w.next[from]
		if n == nil {
			n = &walk{from: from, seeks: make(map[string][]*seek), seen: make(map[string]int)}
			w.next[from] = n
		}
		n.seeks[before] = append(n.seeks[before], open...)
		n.seen[before] = w.seen[t.path]
	}
	return len(w.seeks) > 0
}

// did reports whether a commit made a span what it is at HEAD: it is so after the commit,
// and was so in none of its parents. It reports whether that could be told.
func (l *look) did(ctx context.Context, s *seek, t touch, before string) (did, ok bool) {
	now, ok := l.markOf(ctx, s.v, t.path, t.now)
	if !ok || now != s.mark {
		return false, ok // of a branch whose work was not taken
	}
	for _, id := range t.was {
		was, ok := l.markOf(ctx, s.v, before, id)
		if !ok || was == s.mark {
			return false, ok
		}
	}
	return true, true
}

// markOf is the mark of a span in one version of its file; "" is no file.
func (l *look) markOf(ctx context.Context, v *verdict, path, id string) (string, bool) {
	if id == "" {
		return l.mark(ctx, v, nil)
	}
	f, err := l.blob(ctx, path, id)
	if err != nil {
		return "", false
	}
	return l.mark(ctx, v, f)
}

// gone is the mark of what is not there.
const gone = "gone"

// mark tells states of a span apart: by its bytes, or of lines, which have no name, by
// whether the pinned ones are there.
func (l *look) mark(ctx context.Context, v *verdict, f *file) (string, bool) {
	switch {
	case f == nil:
		return gone, true
	case whole(v.e):
		return sum(f.text), true
	case v.e.Symbol == "":
		found := l.compareLines(ctx, v.e, f)
		if found.State == Verified {
			return v.e.SHA256, true
		}
		return gone, found.State != Unknown
	}
	at, status, _ := f.symbol(v.e.Symbol)
	if status == symbol.Absent {
		return gone, true
	}
	span, ok := f.span(at.Start, at.End)
	if status != symbol.Found || !ok {
		return "", false
	}
	return sum(span), true
}

// cameFrom finds what a file was called before a commit that renamed it, and its bytes
// then: a place with an id. Otherwise it is empty.
func (l *look) cameFrom(ctx context.Context, c *commit, path string) place {
	all, err := l.renames(ctx, []*commit{c})
	if err != nil {
		return place{}
	}
	for old, to := range all[c.id] {
		if to != path {
			continue
		}
		for _, parent := range []string{"^1", "^2"} {
			there, err := l.objects.find(ctx, c.id+parent, old)
			if err == nil && there.kind == regular {
				return place{kind: regular, id: there.id, at: old}
			}
		}
	}
	return place{}
}
