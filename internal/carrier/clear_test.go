package carrier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// What is purged leaves the bundles, and the log stays what its head says it is.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	g := newGiver(t, "00ff")
	space := g.space()
	part := func() *stored { return g.opens(dir).(*stored) }
	belief := func(text string) *memory.Record {
		r, err := envelope.Read(g.line(&memory.Belief{Statement: text}))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	own := part()
	var rs []*memory.Record
	for i := range 6 { // in three bundles
		rs = append(rs, belief(fmt.Sprint("words ", i)))
	}
	push := func(own *stored, rs ...*memory.Record) peer.Acks {
		t.Helper()
		var lines []peer.Line
		for _, r := range rs {
			l, err := envelope.Write(r)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, l)
		}
		acks, err := own.Push(t.Context(), peer.Push{Space: space, Lines: lines})
		if err != nil || len(acks.Refused) > 0 {
			t.Fatal(acks, err)
		}
		return acks
	}
	for part := range slices.Chunk(rs, 2) {
		push(own, part...)
	}
	before, err := own.head(space)
	if err != nil || before.Size != 6 {
		t.Fatal(before, err)
	}
	purged := func(gone ...*memory.Record) peer.PurgedOf {
		return func(_ context.Context, ids []memory.ID) (out []memory.Ref, err error) {
			for _, r := range gone {
				if slices.Contains(ids, r.ID) {
					out = append(out, r.Ref())
				}
			}
			return out, nil
		}
	}
	untouched := own.path(filepath.Join(own.spaceDir(space), "000000000002.jsonl"))
	was, err := os.Stat(untouched)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{2, 0} { // the second time there is nothing to do
		if n, err := own.Clear(t.Context(), space, purged(rs[1], rs[4])); err != nil || n != want {
			t.Fatalf("%d lines were cleared, %v, want %d", n, err, want)
		}
	}
	if is, err := os.Stat(untouched); err != nil || !os.SameFile(was, is) {
		t.Errorf("a bundle in which nothing was purged was written anew: %v", err)
	}

	read := part()
	page, err := read.Log(t.Context(), peer.LogRequest{Space: space, Limit: 10, Lines: true})
	if err != nil || page.Head != before || len(page.Entries) != 6 || len(page.Lines) != 4 {
		t.Fatalf("the log: %d entries, %d lines, %v", len(page.Entries), len(page.Lines), err)
	}
	for i, e := range page.Entries {
		want := peer.Skip("")
		if i == 1 || i == 4 {
			want = peer.Gone
		}
		if e.Ref != rs[i].Ref() || e.Skip != want {
			t.Errorf("place %d has %v %q, want %v %q", i, e.Ref, e.Skip, rs[i].Ref(), want)
		}
	}
	lines, err := read.Fetch(t.Context(), peer.Fetch{Space: space, IDs: []memory.ID{rs[1].ID, rs[2].ID}})
	if err != nil || len(lines.Lines) != 1 {
		t.Errorf("%d lines are given of one that is there and one that is purged, %v", len(lines.Lines), err)
	}
	if acks := push(read, rs[1]); !slices.Equal(acks.Held, []memory.ID{rs[1].ID}) {
		t.Errorf("what was purged is taken again: %+v", acks)
	}
	if wanted, err := read.Offer(t.Context(), peer.Offer{Space: space, IDs: []memory.ID{rs[1].ID}}); err != nil ||
		len(wanted.IDs) > 0 {
		t.Errorf("what was purged is asked for: %v, %v", wanted, err)
	}
	push(read, belief("more words")) // the log goes on behind it
	if h, err := read.head(space); err != nil || h.Size != 7 {
		t.Errorf("the head: %+v, %v", h, err)
	}

	// no one clears what another wrote, and what cannot be asked clears nothing
	other := &stored{dir: own.dir}
	if _, err := other.Clear(t.Context(), space, purged(rs[0])); !errors.Is(err, peer.ErrDenied) {
		t.Errorf("another's lines are cleared: %v", err)
	}
	broken := errors.New("away")
	if n, err := own.Clear(
		t.Context(), space, func(context.Context, []memory.ID) ([]memory.Ref, error) { return nil, broken },
	); !errors.Is(err, broken) || n != 0 {
		t.Errorf("%d lines were cleared, %v", n, err)
	}
	if n, err := own.Clear(t.Context(), "did:key:z/none", purged(rs[0])); err != nil || n != 0 {
		t.Errorf("%d lines of a space that is not there were cleared, %v", n, err)
	}
}

func TestGoneOf(t *testing.T) {
	id := "belief:" + string(bytes.Repeat([]byte("ab"), 32))
	for line, want := range map[string]bool{
		`{"purged":{"ref":"` + id + `"}}`: true, `{"purged":{"ref":"belief:00"}}`: false, `{"purged":{}}`: false,
		`{"purged":7}`: false,
		`{"payload":"e30=","purged":{"ref":"` + id + `"}}`: false, "": false, `{"purged":`: false,
	} {
		if ref, ok := goneOf([]byte(line)); ok != want || ok && ref.String() != id {
			t.Errorf("goneOf(%s) = %v, %v", line, ref, ok)
		}
	}
}
