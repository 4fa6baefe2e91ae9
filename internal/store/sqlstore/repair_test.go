package sqlstore

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/storetest"
	"github.com/stemma-memory/stemma/memory"
)

// various makes records of which a store derives something of every sort: chains and
// rivals, words from elsewhere, marks, two spaces, a purge.
func various(tb testing.TB) []*memory.Record {
	tb.Helper()
	signers := make(map[string]*keys.Key)
	author := func(name string) *storetest.Author {
		seed := sha256.Sum256([]byte(name))
		k, err := keys.FromSeed(seed[:])
		if err != nil {
			tb.Fatal(err)
		}
		a := storetest.NewOwner(name)
		a.Key, a.Space = k.DID(), k.DID()+"/main"
		signers[a.Key] = k
		return a
	}
	a, agent := author("repair"), author("repair agent")
	delegation := a.Make(
		tb, &memory.Key{Op: memory.OpDelegate, Key: agent.Key, Origins: []memory.Origin{memory.OriginAgent}},
	)
	agent.Space, agent.Origin, agent.Delegation = a.Space, memory.OriginAgent, delegation.ID
	out := []*memory.Record{delegation}
	defer func() {
		for _, r := range out {
			sig, err := signers[r.Header.Author].Sign(envelope.TypeOf(r), r.Bytes)
			if err != nil {
				tb.Fatal(err)
			}
			r.Sigs[0].Sig = sig
		}
	}()
	add := func(r *memory.Record) *memory.Record { out = append(out, r); return r }
	derive := func(via memory.Via, from ...*memory.Record) func(*memory.Header) {
		return func(h *memory.Header) {
			h.Provenance.Via = via
			for _, r := range from {
				h.Provenance.From = append(h.Provenance.From, r.Ref())
			}
		}
	}
	var raws []*memory.Record
	for i := range 12 {
		raws = append(raws, add(a.Raw(tb, fmt.Sprintf("the %dth bridge over the river is closed", i), func(h *memory.Header) {
			h.Session, h.Alias = fmt.Sprintf("conversation %d", i/4), []string{fmt.Sprintf("elsewhere:%d", i)}
		})))
	}
	add(a.Raw(tb, strings.Repeat("a long word about a bridge ", 700))) // it lies in several pages
	for i := range 8 {
		ep := add(
			agent.Make(
				tb, &memory.Episode{Objective: fmt.Sprintf("walk over bridge %d", i)},
				derive(memory.ViaPromote, raws[i], raws[i+1]),
			),
		)
		old := add(
			a.Make(
				tb, &memory.Belief{Statement: fmt.Sprintf("bridge %d closes in winter", i)},
				derive(memory.ViaConsolidate, ep, raws[i+2]),
			),
		)
		for n := range 1 + i%3 { // one is a chain, two and three are rivals
			add(a.Make(tb, &memory.Belief{
				Statement: fmt.Sprintf("bridge %d closes when it freezes, %d", i, n),
			}, derive(memory.ViaRevision, old), func(h *memory.Header) {
				h.Provenance.Supersedes = []memory.Ref{old.Ref()}
			}))
		}
	}
	ref, absent := out[len(out)-1].Ref(), memory.Ref{Kind: memory.KindNote, ID: memory.ID{1}}
	add(a.Make(tb, &memory.Mark{Of: &ref, Verb: memory.Approve}))
	add(a.On("second").Make(tb, &memory.Mark{Of: &absent, Verb: memory.Forget}))
	second := add(
		a.On("second").Make(
			tb, &memory.Note{Type: "insight", Summary: "what rests on a bridge"},
			derive(memory.ViaInference, raws[11]),
		),
	)
	of := second.Ref()
	add(a.Make(tb, &memory.Mark{Of: &of, Verb: memory.Forget}))
	gone := raws[3].Ref()
	add(a.Make(tb, &memory.Mark{Of: &gone, Verb: memory.Purge}))
	return out
}

// filled makes a store of various records, with counts of readings and vectors.
func filled(tb testing.TB, spec string, o Options) *Store {
	tb.Helper()
	s := open(tb, spec, o)
	rs := various(tb)
	if _, err := s.Append(tb.Context(), store.Batch{Records: rs, Obey: true}); err != nil {
		tb.Fatal(err)
	}
	indexAll(tb, s)
	if err := s.Touch(tb.Context(), time.UnixMilli(1), rs[1].ID, rs[2].ID); err != nil {
		tb.Fatal(err)
	}
	if err := s.PutVectors(
		tb.Context(), "model", store.Vector{ID: rs[1].ID, Vec: []float32{1, 0}},
		store.Vector{ID: rs[2].ID, Vec: []float32{0, 1}},
	); err != nil {
		tb.Fatal(err)
	}
	return s
}

// answers returns what a store answers to every question, as text.
func answers(tb testing.TB, s *Store, rs []*memory.Record) (string, error) {
	tb.Helper()
	ctx := tb.Context()
	var b strings.Builder
	say := func(what string, v any, err error) error {
		text, bad := json.Marshal(v)
		if bad != nil {
			tb.Fatal(bad)
		}
		fmt.Fprintf(&b, "%s %s\n", what, text)
		return err
	}
	for _, q := range []store.Query{
		{}, {Hidden: true}, {Oldest: true, Kinds: []memory.Kind{memory.KindRaw}}, {Session: "conversation 1"},
		{Unused: true},
	} {
		for it, err := range s.List(ctx, q) {
			if err = say("list", it, err); err != nil {
				return "", err
			}
		}
	}
	ids := make([]memory.ID, len(rs))
	for i, r := range rs {
		ids[i] = r.ID
	}
	items, err := s.Get(ctx, ids...)
	if err = say("get", items, err); err != nil {
		return "", err
	}
	for _, dir := range []graph.Direction{graph.Back, graph.Forward} {
		es, err := s.Edges(ctx, dir, ids...)
		if err = say("edges", es, err); err != nil {
			return "", err
		}
	}
	hits, err := s.Match(ctx, store.Match{Terms: []string{"bridg", "bridge", "river", "winter"}, Limit: 100})
	if err = say("match", hits, err); err != nil {
		return "", err
	}
	found, err := s.Aliased(ctx, "main", "elsewhere:1", "elsewhere:3")
	if err = say("aliases", found, err); err != nil {
		return "", err
	}
	for _, space := range []string{"main", "second"} {
		kept, err := s.Kept(ctx, space, 0, 1000)
		if err = say("kept", kept, err); err != nil {
			return "", err
		}
		f, err := s.Tree(ctx, space)
		root := f.Root()
		if err = say("tree", root[:], err); err != nil {
			return "", err
		}
	}
	used, err := s.Used(ctx, ids...)
	if err = say("used", used, err); err != nil {
		return "", err
	}
	near, err := s.Nearest(ctx, store.Near{Model: "model", Vec: []float32{1, 0.5}, Limit: 5, Hidden: true})
	if err = say("near", near, err); err != nil {
		return "", err
	}
	st, err := s.Stats(ctx)
	st.Bytes = 0
	return b.String(), say("stats", st, err)
}

// damages are things that somebody, or a disk, does to rows that are made of records.
var damages = []struct{ name, sql string }{
	{"an id of a wrong length", "UPDATE records SET id = x'0011' WHERE key = (SELECT max(key) FROM records)"},
	{"an id that is none", "UPDATE records SET id = 'text' WHERE key = (SELECT min(key) + 2 FROM records)"},
	{
		"an id with another bit",
		"UPDATE records SET id = x'ff' || substr(id, 2) WHERE key = (SELECT min(key) + 2 FROM records)",
	},
	{"another kind", "UPDATE records SET kind = 5 WHERE kind = 2"},
	{"a kind that is none", "UPDATE records SET kind = 'x' WHERE key = (SELECT min(key) + 2 FROM records)"},
	{"a huge kind", "UPDATE records SET kind = 9223372036854775807 WHERE key = (SELECT min(key) + 2 FROM records)"},
	{"another author", "UPDATE records SET author = 77 WHERE key = (SELECT min(key) + 2 FROM records)"},
	{"another time", "UPDATE records SET at = -9223372036854775808 WHERE key = (SELECT min(key) + 2 FROM records)"},
	{"a time that is none", "UPDATE records SET at = x'01' WHERE key = (SELECT min(key) + 2 FROM records)"},
	{"another session", "UPDATE records SET session = 12"},
	{"a session that is none", "UPDATE records SET session = 'x'"},
	{"a number of signatures", "UPDATE records SET more = 7 WHERE key = (SELECT min(key) + 2 FROM records)"},
	{"no row of the log", "DELETE FROM records WHERE key = (SELECT min(key) + 2 FROM records)"},
	{
		"an id of a purged record with another bit",
		"UPDATE records SET id = CAST(substr(id, 1, 20) || x'5a' || substr(id, 22) AS BLOB) WHERE key NOT IN (SELECT " +
			"key FROM payloads)",
	},
	{
		"a row of the log far away",
		"UPDATE records SET key = key + 274877906944 WHERE key = (SELECT min(key) + 2 FROM records)",
	},
	{"no edges", "DELETE FROM edges"},
	{"edges in a circle", "UPDATE edges SET dst = src"},
	{"another edge", "UPDATE edges SET rel = 2"},
	{"a relation that is none", "UPDATE edges SET rel = 'x'"},
	{"a huge relation", "UPDATE edges SET rel = 9223372036854775807"},
	{"edges to nothing", "UPDATE edges SET dst = 9223372036854775807"},
	{"absurd edges", "INSERT INTO edges (src, ord, rel, dst) VALUES (-5, -5, -5, -5), ('x', 'y', 'z', 'w')"},
	{"a dangling id of a wrong length", "UPDATE dangling SET dst = x'00'"},
	{"a dangling id that is none", "UPDATE dangling SET dst = 5"},
	{"no aliases", "DELETE FROM aliases"},
	{"other aliases", "UPDATE aliases SET alias = CAST(key AS TEXT)"},
	{"flags that are none", "UPDATE state SET flags = 'x' WHERE key IN (SELECT key FROM payloads)"},
	{"huge flags", "UPDATE state SET flags = 9223372036854775807 WHERE key IN (SELECT key FROM payloads)"},
	{"a state that is none", "UPDATE state SET fold = '{\"due\":' WHERE key IN (SELECT key FROM payloads)"},
	{"a state that is bytes", "UPDATE state SET fold = x'00ff' WHERE key IN (SELECT key FROM payloads)"},
	{"a state of another", "UPDATE state SET fold = '{\"review\":\"approved\"}' WHERE key IN (SELECT key FROM payloads)"},
	{"a due that is none", "UPDATE state SET due = 'x' WHERE key IN (SELECT key FROM payloads)"},
	{"a due long ago", "UPDATE state SET due = -9223372036854775808 WHERE key IN (SELECT key FROM payloads)"},
	{"no states", "DELETE FROM state WHERE key IN (SELECT key FROM payloads)"},
	{"stray states", "INSERT INTO state (key, flags) VALUES (7, 0), (-7, 63)"},
	{"no segments", "DELETE FROM segments"},
	{"segments with absurd bounds", "UPDATE segments SET first = -9223372036854775808, last = 9223372036854775807"},
	{"segments that are none", "UPDATE segments SET level = 'x', version = x'00'"},
	{"a level that is none", "UPDATE segments SET level = -9223372036854775808"},
	{"no words", "DELETE FROM segment_parts WHERE part = 0"},
	{"other words", "UPDATE segment_parts SET bytes = x'ffffffffffffffffffffffff'"},
	{"words that are none", "UPDATE segment_parts SET bytes = 'text'"},
	{"a counter far too big", "UPDATE spaces SET last = 9223372036854775807"},
	{"a counter below none", "UPDATE spaces SET last = -5"},
	{"a counter that is none", "UPDATE spaces SET last = 'x'"},
	{"an index ahead", "UPDATE spaces SET indexed = 9223372036854775807"},
	{"an index below none", "UPDATE spaces SET indexed = -9223372036854775808"},
	{"a tree that is none", "UPDATE spaces SET tree = x'00'"},
	{"another tree", "UPDATE spaces SET tree = substr(tree, 1, length(tree) - 1) || x'00'"},
	{"a space of another name", "UPDATE spaces SET name = 'nobody' WHERE no = 1"},
	{"a space whose name is none", "UPDATE spaces SET name = x'00' WHERE no = 1"},
	{"no space", "DELETE FROM spaces WHERE no = 2"},
	{"authors of another name", "UPDATE authors SET did = 'did:key:nobody' WHERE no = 1"},
	{"no authors", "DELETE FROM authors"},
	{"kinds of another name", "UPDATE kinds SET name = 'x' || no"},
	{"no triggers", "SELECT 1"},
	{"a trigger of another", "CREATE TRIGGER evil AFTER INSERT ON state BEGIN DELETE FROM usage; END"},
	{"another view", "DROP VIEW memory_provenance; CREATE VIEW memory_provenance AS SELECT 1"},
	{"no index", "DROP INDEX edges_dst"},
}

// difference returns the first lines that differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			at := 0
			for at < min(len(a[i]), len(b[i])) && a[i][at] == b[i][at] {
				at++
			}
			from := max(at-200, 0)
			return fmt.Sprintf("line %d: %s\nwant %s", i, a[i][from:min(at+300, len(a[i]))], b[i][from:min(at+300, len(b[i]))])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// What a repair may leave out.
var (
	cameAt  = regexp.MustCompile(`"Came":"[^"]*",`)
	leftOut = regexp.MustCompile(`"Came":"[^"]*",|(?m)^(used|near) .*$`)
)
