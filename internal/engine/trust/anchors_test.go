package trust_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
)

// What is on this machine, or beside it, is no page: nothing is asked and nothing is
// kept.
func TestPrivatePagesAreRefused(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ref := add(t, p.Owner, "belief", "the weir holds")
	before := records(t, p.Owner)
	for _, page := range []string{
		"https://127.0.0.1/", "https://localhost/", "https://10.0.0.1/", "https://192.168.1.1/",
		"https://169.254.169.254/latest", "https://[::1]/",
		"https://[::ffff:127.0.0.1]/", "https://2130706433/", "https://0x7f.1/", "https://100.64.0.1/",
		"http://example.com/", "file:///etc/passwd", "https://user@example.com/",
	} {
		if r, err := p.Owner.Anchor(t.Context(), api.AnchorRequest{Ref: ref, Type: "url", Reference: page}); !isInvalid(err) {
			t.Errorf("%s: %+v, %v, want it invalid: nobody is to be asked", page, r, err)
		}
	}
	if _, err := p.Owner.Anchor(
		t.Context(), api.AnchorRequest{Ref: ref, Type: "rumour", Reference: "x"},
	); !isInvalid(err) {
		t.Errorf("an anchor of no type: %v, want it invalid", err)
	}
	if n := records(t, p.Owner); n != before {
		t.Errorf("%d records, want %d", n, before)
	}
}

// A commit counts that names the memory; the same one twice counts once; one that
// does not, or that no one has, is worth nothing.
func TestCommitsAsAnchors(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ref := write(t, w.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "the weir holds"}})
	plain := w.Git("rev-parse", "HEAD")
	w.Write("notes", "the weir")
	w.Commit("on the weir\n\nMemory-Digest: sha256:" + refOf(t, ref).ID.String())
	named, before := w.Git("rev-parse", "HEAD"), trustIn(t, w.Owner, ref)
	tie := func(commit string) api.AnchorReply {
		t.Helper()
		r, err := w.Owner.Anchor(t.Context(), api.AnchorRequest{Ref: ref, Type: "git_commit", Reference: commit})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := tie(plain); r.Bound || r.Status != "verified" || r.Hint == "" || r.Trust.Voices.Anchors != 0 ||
		r.Trust.Score != before.Score {
		t.Errorf("a commit that does not name it: %+v", r)
	}
	for range 2 {
		if r := tie(named); !r.Bound || r.Status != "verified" || r.Trust.Voices.Anchors != 1 ||
			r.Trust.Score != before.Score+0.2 || r.Trust.Level != "attested" {
			t.Errorf("a commit that names it: %+v, want one anchor and %v", r, before.Score+0.2)
		}
	}
	n := records(t, w.Owner)
	_, err := w.Owner.Anchor(
		t.Context(),
		api.AnchorRequest{Ref: ref, Type: "git_commit", Reference: "0123456789012345678901234567890123456789"},
	)
	if !errors.Is(err, api.ErrNotFound) || records(t, w.Owner) != n {
		t.Errorf("a commit that nobody has: %v, want it not found and nothing kept", err)
	}
	checked, err := w.Agent.AnchorCheck(t.Context(), api.AnchorCheckRequest{Ref: ref})
	if err != nil || len(checked.Checked) != 3 || checked.Checked[0].Status != "verified" ||
		checked.Checked[0].Before != "verified" {
		t.Errorf("checked again: %+v, %v", checked, err)
	}
}

// A file of which the line that names the memory went has changed, also where it is gone altogether.
func TestALineThatWentIsAChange(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t)
	ref := write(t, w.Owner, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "the weir holds"}})
	w.Write("weir.md", "the weir\nMemory-Digest: sha256:"+refOf(t, ref).ID.String()+"\n")
	r, err := w.Owner.Anchor(t.Context(), api.AnchorRequest{Ref: ref, Type: "file", Reference: "weir.md"})
	if err != nil || !r.Bound {
		t.Fatalf("anchor: %+v, %v", r, err)
	}
	for _, text := range []string{"the weir\n", ""} {
		if w.Write("weir.md", text); text == "" {
			if err := os.Remove(filepath.Join(w.Dir, "weir.md")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Owner.AnchorCheck(t.Context(), api.AnchorCheckRequest{Ref: ref}); err != nil {
			t.Fatal(err)
		}
		if flags := trustIn(t, w.Owner, ref).Flags; !slices.Contains(flags, "anchor_changed") ||
			slices.Contains(flags, "anchor_not_bound") {
			t.Errorf("with %q in the file: flags %q, want anchor_changed", text, flags)
		}
	}
}

// The same page twice is one, and so are two pages of one host; only what the one who
// looks found himself counts, and only as long as it is fresh.
func TestPagesAsAnchors(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	ref := refOf(t, add(t, p.Owner, "belief", "the weir holds"))
	before := trustIn(t, p.Owner, ref.String()).Score
	me, stranger := p.Stolen(true), newForger(t, p.Now())
	anchored := func(by *forger, page string) {
		t.Helper()
		me.At = p.Now()
		a := me.Says(
			&memory.Anchor{
				Of: ref, Type: "url", Reference: page, SHA256: fmt.Sprintf("%064d", 7), Size: 9,
				MediaType: "text/plain",
			},
		)
		take(t, p.Owner, a, by.Says(&memory.Verify{Of: a.Ref(), Method: "anchor_bound"}))
	}
	for _, tt := range []struct {
		by   *forger
		page string
		want int
	}{
		{stranger, "https://example.com/a", 0}, {me, "https://example.com/b", 1}, {me, "https://EXAMPLE.com:443/b#x", 1},
		{me, "https://www.example.com/c", 1}, {me, "https://example.org/", 2}, {me, "https://example.net/", 3},
	} {
		anchored(tt.by, tt.page)
		tr := trustIn(t, p.Owner, ref.String())
		if tr.Voices.Anchors != tt.want {
			t.Errorf("with %s: %d anchors, want %d: %+v", tt.page, tr.Voices.Anchors, tt.want, tr.Anchors)
		}
	}
	if tr := trustIn(t, p.Owner, ref.String()); tr.Score != before+0.3 || tr.Level != "anchored" {
		t.Errorf("three hosts: %v %s, want %v anchored", tr.Score, tr.Level, before+0.3)
	}
	p.Ahead(400 * 24 * 3600e9)
	if tr := trustIn(t, p.Owner, ref.String()); tr.Voices.Anchors != 0 || tr.Score != before {
		t.Errorf("a year later: %d anchors, %v, want none until they are checked again", tr.Voices.Anchors, tr.Score)
	}
}
