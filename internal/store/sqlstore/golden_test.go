package sqlstore

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

var update = flag.Bool("update", false, "make the store of our version again; never after a release")

// golden makes the records of the stores in testdata, the same for ever.
func golden(tb testing.TB) []*memory.Record {
	tb.Helper()
	a := storetest.NewOwner("golden")
	agent, delegation := a.NewAgent(tb, "golden agent")
	raw := a.Raw(tb, "the bridge over the river is closed", func(h *memory.Header) {
		h.Session, h.Alias = "a conversation", []string{"elsewhere:1"}
	})
	note := agent.Make(tb, &memory.Note{Type: "insight", Summary: "bridges close in winter"}, func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.From = memory.ViaInference, []memory.Ref{raw.Ref()}
	})
	belief := a.Make(tb, &memory.Belief{Statement: "bridges close when it snows"}, func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.From = memory.ViaConsolidate, []memory.Ref{note.Ref()}
	})
	revised := a.Make(tb, &memory.Belief{Statement: "bridges close when it freezes"}, func(h *memory.Header) {
		h.Provenance.Via, h.Provenance.From = memory.ViaRevision, []memory.Ref{belief.Ref()}
		h.Provenance.Supersedes = []memory.Ref{belief.Ref()}
	})
	ref, absent := note.Ref(), memory.Ref{Kind: memory.KindNote, ID: memory.ID{1}}
	approve := a.Make(tb, &memory.Mark{Of: &ref, Verb: memory.Approve})
	dangling := a.On("second").Make(tb, &memory.Mark{Of: &absent, Verb: memory.Forget})
	raw.Sigs = append(raw.Sigs, memory.Signature{Key: agent.Key, Sig: []byte("a second signature")})
	return []*memory.Record{delegation, raw, note, belief, revised, approve, dangling}
}

// TestGolden opens the store of every version there was.
func TestGolden(t *testing.T) {
	rs := golden(t)
	files, err := filepath.Glob("testdata/v1*.db")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		files = []string{"testdata/v100.db"}
		makeGolden(t, files[0], rs)
	}
	if len(files) == 0 {
		t.Fatal("there is no store in testdata")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			bytes, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			path := tempSQLite(t)
			if err := os.WriteFile(path, bytes, session.FilePerm); err != nil {
				t.Fatal(err)
			}
			s := open(t, path, Options{})
			healthy(t, s)
			stillThere(t, s, rs)
			more := storetest.NewOwner("later").Raw(t, "what came later")
			appendAll(t, s, []*memory.Record{more})
			healthy(t, s)
		})
	}
}

// stillThere asks for what the records were and what follows from them.
func stillThere(t *testing.T, s *Store, rs []*memory.Record) {
	t.Helper()
	for i, r := range rs {
		items, err := s.Get(t.Context(), r.ID)
		if err != nil || items[0] == nil {
			t.Fatalf("Get of %s = %v, %v", r.Ref().Short(), items, err)
		}
		if got := items[0].Record; string(got.Bytes) != string(r.Bytes) || len(got.Sigs) != len(r.Sigs) {
			t.Errorf("record %d is %s with %d signatures, want %s with %d", i, got.Bytes, len(got.Sigs), r.Bytes, len(r.Sigs))
		}
	}
	raw, note, belief, revised := rs[1], rs[2], rs[3], rs[4]
	items, err := s.Get(t.Context(), note.ID, belief.ID)
	if err != nil {
		t.Fatal(err)
	}
	if st := items[0].State; st.Review != state.ReviewApproved || !st.AnyRaw {
		t.Errorf("the note is %+v, want it approved and resting on words", st)
	}
	if st := items[1].State; st.SupersededBy != revised.ID {
		t.Errorf("the belief is superseded by %s, want %s", st.SupersededBy.Short(), revised.ID.Short())
	}
	if got, err := s.Aliased(t.Context(), raw.Header.Space, "elsewhere:1"); err != nil || got["elsewhere:1"] != raw.ID {
		t.Errorf("Aliased gives %v, %v, want %s", got, err, raw.ID.Short())
	}
	if hits, err := s.Match(t.Context(), store.Match{Terms: []string{"river"}}); err != nil || len(hits) != 1 ||
		hits[0].ID != raw.ID {
		t.Errorf("Match of river gives %v, %v, want %s", hits, err, raw.ID.Short())
	}
	n := 0
	for it, err := range s.List(t.Context(), store.Query{Session: "a conversation"}) {
		if err != nil || it.Ref.ID != raw.ID {
			t.Errorf("List of the session gives %v, %v, want %s", it, err, raw.ID.Short())
		}
		n++
	}
	if st, err := s.Stats(t.Context()); err != nil || n != 1 || st.Records != len(rs) || st.Dangling != 1 {
		t.Errorf(
			"%d records in the session, %d in all, %d dangling, %v, want 1, %d and 1", n, st.Records,
			st.Dangling, err, len(rs),
		)
	}
}

func makeGolden(t *testing.T, file string, rs []*memory.Record) {
	t.Helper()
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	path := tempSQLite(t)
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	appendAll(t, s, rs)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	checkpoint(t, path)
	bytes, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(file, bytes, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
