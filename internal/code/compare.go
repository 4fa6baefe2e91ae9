package code

import (
	"context"
	"fmt"
	"slices"

	"github.com/stemma-memory/stemma/internal/symbol"
	"github.com/stemma-memory/stemma/memory"
)

// compare says how a pinned span stands in a text. The reason is given only where
// it is the text's own: what changed is explained by those who know the commit.
func (l *look) compare(ctx context.Context, e memory.Evidence, f *file) Finding {
	found := Finding{State: NeedsReview, Path: f.path}
	switch {
	case whole(e):
		found.SHA256 = sum(f.text)
	case e.Symbol == "":
		return l.compareLines(ctx, e, f)
	default:
		at, status, reason := f.symbol(e.Symbol)
		span, ok := f.span(at.Start, at.End)
		switch {
		case status == symbol.Absent:
			found.State = Stale
			return found
		case status != symbol.Found || !ok:
			found.State, found.Reason = Unknown, shown(Text(e), maxWord)+": "+shown(reason, maxWord)
			return found
		}
		found.Start, found.End, found.SHA256 = at.Start, at.End, sum(span)
	}
	if found.SHA256 == e.SHA256 {
		found.State = Verified
	}
	return found
}

// compareLines finds pinned lines where they were, or wherever they moved. That
// the same lines stand somewhere else proves little if they always stood there
// too ("}" does), so that no copy may be missing; where the old text is not at
// hand, only a single place counts.
func (l *look) compareLines(ctx context.Context, e memory.Evidence, f *file) Finding {
	found := Finding{State: NeedsReview, Path: f.path, Start: e.Start, End: e.End}
	here, ok := f.span(e.Start, e.End)
	if ok && sum(here) == e.SHA256 {
		found.State, found.SHA256 = Verified, e.SHA256
		return found
	}
	n := e.End - e.Start + 1
	moved := 0
	if old := l.before(ctx, e); old != nil {
		text, _ := old.span(e.Start, e.End)
		was, now := old.places(text), f.places(text)
		if len(now) >= len(was) && len(now) > 0 {
			moved = now[slices.Index(was, e.Start)]
		}
		found.Start, found.End = f.located(old, e.Start, e.End)
	} else {
		now, looked := f.windows(e.SHA256, n, &l.budget)
		if !looked {
			found.State, found.Reason = Unknown, shown(Text(e), maxWord)+" may have moved: there is too much to search"
			return found
		}
		if len(now) == 1 {
			moved = now[0]
		}
	}
	if moved > 0 {
		found.State, found.SHA256, found.Start, found.End = Verified, e.SHA256, moved, moved+n-1
		found.Reason = fmt.Sprintf("%s is lines %d-%d now", shown(Text(e), maxWord), moved, moved+n-1)
		return found
	}
	span, ok := f.span(found.Start, found.End)
	if !ok {
		found.Start, found.End = 0, 0
		return found
	}
	found.SHA256 = sum(span)
	return found
}

// before is the file as it was where the ref was pinned, or nil if that cannot be
// had, or does not have the pinned bytes there.
func (l *look) before(ctx context.Context, e memory.Evidence) *file {
	if l.head == "" || !commitForm.Get().MatchString(e.Commit) {
		return nil
	}
	was, err := l.objects.find(ctx, e.Commit, e.Path)
	if err != nil || was.kind != regular {
		return nil
	}
	old, err := l.blob(ctx, e.Path, was.id)
	if err != nil {
		return nil
	}
	if span, ok := old.span(e.Start, e.End); !ok || sum(span) != e.SHA256 {
		return nil
	}
	return old
}

// judge judges a ref by a blob, which stands at a path of HEAD.
func (l *look) judge(ctx context.Context, v *verdict, path, id string) error {
	f, err := l.blob(ctx, path, id)
	if err != nil {
		return l.unreadable(ctx, v, err)
	}
	v.blob = id
	v.f = l.compare(ctx, v.e, f)
	if v.f.State == Unknown {
		v.fixed = true
		return nil
	}
	if v.e.Dirty && v.f.State != Verified && commitForm.Get().MatchString(v.e.Commit) {
		was, err := l.objects.find(ctx, v.e.Commit, v.e.Path)
		v.same = err == nil && was.id == id
	}
	return ctx.Err()
}
