package recall_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// A receipt says what an agent was given: the question, what was returned, its
// rank and why, its tier and its signature.
func TestReceiptSaysWhatWasGiven(t *testing.T) {
	p := withReceipts(t)
	agent := p.As(memory.OriginAgent, func(c *engine.Config) { c.Agent, c.Session = "scout", "s1" })
	raw := capture(t, agent, "the harbour was painted red")
	belief := consolidate(t, agent, "the harbour is red", raw)
	in := api.SearchRequest{Query: "red harbour", Limit: 5}
	given := search(t, agent, in)
	if given.Receipt == "" {
		t.Fatal("no receipt")
	}
	r, err := agent.Receipt(t.Context(), api.ReceiptRequest{ID: given.Receipt[:6]})
	if err != nil {
		t.Fatal(err)
	}
	if r.ID != given.Receipt || r.Op != "search" || r.Query != in.Query || r.Origin != "agent" || r.Agent != "scout" ||
		r.Session != "s1" || r.At == "" {
		t.Errorf("receipt %+v", r)
	}
	var asked api.SearchRequest
	if err := json.Unmarshal(r.Request, &asked); err != nil || asked != in {
		t.Errorf("request %s, %v, want %+v", r.Request, err, in)
	}
	if len(r.Results) != 2 || len(given.Results) != 2 {
		t.Fatalf("%d results noted of %d, want 2", len(r.Results), len(given.Results))
	}
	for i, one := range r.Results {
		g := given.Results[i]
		if one.Ref != g.Ref || one.Rank != g.Rank || one.Score != g.Score || one.Factors != g.Factors || one.Tier != g.Tier ||
			one.Text != g.Text || one.Signature != "valid" {
			t.Errorf("noted %+v of %+v", one, g)
		}
	}
	for _, tt := range []struct {
		what string
		in   api.ReceiptsRequest
		want int
	}{
		{"all", api.ReceiptsRequest{}, 1},
		{"with the belief", api.ReceiptsRequest{Ref: belief[:14]}, 1},
		{"with the digits of the raw", api.ReceiptsRequest{Ref: raw[4:12]}, 1},
		{"with another", api.ReceiptsRequest{Ref: "note:00000000"}, 0},
		{"of the session", api.ReceiptsRequest{Session: "s1"}, 1},
		{"of another", api.ReceiptsRequest{Session: "s2"}, 0},
		{"since an hour", api.ReceiptsRequest{Since: "1h"}, 1},
		{"since tomorrow", api.ReceiptsRequest{Since: "2026-01-03"}, 0},
		{"until tomorrow", api.ReceiptsRequest{Until: "2026-01-03"}, 1},
		{"until an hour ago", api.ReceiptsRequest{Until: "1h"}, 0},
	} {
		if got := receipts(t, agent, tt.in); len(got.Receipts) != tt.want {
			t.Errorf("%s: %d receipts, want %d", tt.what, len(got.Receipts), tt.want)
		}
	}
	if _, err := agent.Receipts(t.Context(), api.ReceiptsRequest{Since: "soon"}); !isInvalid(err) {
		t.Errorf("since soon: %v, want it invalid", err)
	}
}

// Receipts are for agents, of searches and packs alike, where there is a place
// for them.
func TestReceiptsAreForAgents(t *testing.T) {
	p := withReceipts(t)
	capture(t, p.Agent, "the harbour was painted red")
	for _, e := range []*engine.Engine{p.Owner, p.As(memory.OriginAgent, func(c *engine.Config) { c.ReadOnly = true }),
		p.As(memory.OriginAgent, func(c *engine.Config) { c.Receipts = "" })} {
		if r := search(t, e, api.SearchRequest{Query: "harbour"}); r.Receipt != "" || len(r.Results) != 1 {
			t.Errorf("receipt %q of %d results, want none of 1", r.Receipt, len(r.Results))
		}
		if _, err := e.Context(t.Context(), api.ContextRequest{Query: "harbour"}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Load(t.Context(), api.LoadRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if got := receipts(t, p.Owner, api.ReceiptsRequest{}).Receipts; len(got) != 0 || exists(p.Config.Receipts) {
		t.Errorf("%d receipts, want none and no file", len(got))
	}
	search(t, p.Agent, api.SearchRequest{Query: "harbour"})
	if _, err := p.Agent.Context(t.Context(), api.ContextRequest{Query: "harbour"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Agent.Load(t.Context(), api.LoadRequest{}); err != nil {
		t.Fatal(err)
	}
	receipts(t, p.Agent, api.ReceiptsRequest{}) // waits for what this one gave
	tool := p.As(memory.OriginTool)
	search(t, tool, api.SearchRequest{Query: "harbour"})
	var ops []string
	for _, r := range receipts(t, tool, api.ReceiptsRequest{}).Receipts {
		ops = append(ops, r.Op)
	}
	slices.Sort(ops)
	if want := []string{"context", "load", "search", "search"}; !slices.Equal(ops, want) {
		t.Errorf("receipts of %v, want %v", ops, want)
	}
	info, err := os.Stat(p.Config.Receipts)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v, want it its owner's alone", info.Mode(), err)
	}
}

// The file stays within its bound, and the newest are kept.
func TestReceiptsAreBounded(t *testing.T) {
	const keep = 64 << 10
	p := withReceipts(t)
	p.Config.Keep = keep
	agent := p.As(memory.OriginAgent)
	for i := range 20 {
		capture(t, agent, fmt.Sprint("the harbour was painted red ", i))
	}
	last := ""
	for i := range 100 {
		last = search(t, agent, api.SearchRequest{Query: fmt.Sprint("red harbour ", i), Limit: 20}).Receipt
	}
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	files, err := filepath.Glob(p.Config.Receipts + "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size == 0 || size > keep {
		t.Errorf("%d bytes in %d files, want at most %d", size, len(files), keep)
	}
	all := receipts(t, p.Owner, api.ReceiptsRequest{Limit: -1}).Receipts
	if len(all) == 0 || len(all) >= 100 || !slices.ContainsFunc(all, func(r api.Receipt) bool { return r.ID == last }) {
		t.Errorf("%d receipts kept, want some and the last", len(all))
	}
}

// Searches at the same time each leave a receipt of their own.
func TestReceiptsOfConcurrentSearches(t *testing.T) {
	p := withReceipts(t)
	capture(t, p.Agent, "the harbour was painted red")
	const hands, each = 8, 25
	var wait sync.WaitGroup
	var lock sync.Mutex
	ids := make(map[string]string)
	for hand := range hands {
		wait.Go(func() {
			for i := range each {
				query := fmt.Sprintf("harbour %d %d", hand, i)
				r, err := p.Agent.Search(t.Context(), api.SearchRequest{Query: query})
				if err != nil {
					t.Error(err)
					return
				}
				lock.Lock()
				ids[r.Receipt] = query
				lock.Unlock()
				if i%10 == 0 {
					if _, err := p.Agent.Replay(t.Context(), api.ReceiptRequest{ID: r.Receipt}); err != nil {
						t.Error(err)
					}
					capture(t, p.Agent, "words of somebody else")
				}
			}
		})
	}
	wait.Wait()
	got := receipts(t, p.Agent, api.ReceiptsRequest{Limit: -1})
	if len(got.Receipts) != hands*each || len(ids) != hands*each || got.Unreadable != 0 {
		t.Errorf("%d receipts with %d ids, %d unreadable, want %d", len(got.Receipts), len(ids), got.Unreadable, hands*each)
	}
	for _, r := range got.Receipts {
		if ids[r.ID] != r.Query || len(r.Results) != 1 {
			t.Errorf("receipt %s is of %q with %d results, want %q with 1", r.ID, r.Query, len(r.Results), ids[r.ID])
		}
	}
	if r := receipts(t, p.Agent, api.ReceiptsRequest{}); len(r.Receipts) != 20 || !r.More {
		t.Errorf("a list has %d, more %v, want 20 and more", len(r.Receipts), r.More)
	}
}

// The same question over a store that has not changed gives no change.
func TestReplayOfTheSame(t *testing.T) {
	p := withReceipts(t)
	raw := capture(t, p.Agent, "the harbour was painted red")
	consolidate(t, p.Agent, "the harbour is red", raw)
	write(
		t, p.Owner,
		api.AddRequest{
			Draft: api.Draft{Kind: "note", Type: "constraint", Text: "never paint a bridge"},
			Meta:  api.Meta{Approve: true},
		},
	)
	add(t, p.Owner, "value", "honesty")
	add(t, p.Owner, "goal", "see the sea")
	p.Stop()
	search(t, p.Agent, api.SearchRequest{Query: "red harbour"})
	if _, err := p.Agent.Context(t.Context(), api.ContextRequest{Query: "red harbour"}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Agent.Load(t.Context(), api.LoadRequest{}); err != nil {
		t.Fatal(err)
	}
	all := receipts(t, p.Agent, api.ReceiptsRequest{}).Receipts
	if len(all) != 3 {
		t.Fatalf("%d receipts, want 3", len(all))
	}
	for _, r := range all {
		got := replay(t, p.Agent, r.ID)
		if len(got.Changes) != 0 || len(got.Now) < 2 || len(got.Now) != len(got.Receipt.Results) {
			t.Errorf("%s: %d then, %d now, changes %+v, want none", r.Op, len(got.Receipt.Results), len(got.Now), got.Changes)
		}
		for _, one := range r.Results {
			if one.Text == "" || one.Signature != "valid" || len(one.Ref) < 64 {
				t.Errorf("%s notes %+v, want a full ref, words and a signature", r.Op, one)
			}
		}
	}
	if again := receipts(t, p.Agent, api.ReceiptsRequest{}).Receipts; len(again) != 3 {
		t.Errorf("replays left %d receipts", len(again)-3)
	}
}

// A replay says of each memory what became of it.
func TestReplaySaysWhatChanged(t *testing.T) {
	p := withReceipts(t)
	note := func(text string) string { return add(t, p.Agent, "note", text) }
	wrong, old, secret, taken := note("the harbour is green"), note("the harbour is red"), note(
		"the harbour is bribed",
	), note("the harbour is far")
	lifted := note("the harbour and the bridge and the town and the market are near")
	stays := note("the harbour is open")
	id := search(t, p.Agent, api.SearchRequest{Query: "harbour"}).Receipt
	p.Ahead(time.Hour)
	reject(t, p.Owner, "it is white", wrong)
	next := revise(t, p.Agent, old, "the harbour is blue")
	mark(t, p.Owner, memory.Forget, "asked to", secret)
	mark(t, p.Owner, memory.Quarantine, "from a bad source", taken)
	approve(t, p.Owner, lifted)
	fresh := note("the harbour harbour")

	r := replay(t, p.Agent, id)
	why := make(map[string]api.Replacement)
	for _, c := range r.Changes {
		why[c.Ref] = c
	}
	for _, tt := range []struct {
		what, ref string
		was, is   bool
		reason    string
	}{
		{"rejected", wrong, true, false, "rejected: it is white"},
		{"superseded", old, true, false, "superseded by " + next[:len("note:")+8]},
		{"forgotten", secret, true, false, "forgotten: asked to"},
		{"quarantined", taken, true, false, "quarantined: from a bad source"},
		{"approved", lifted, true, true, "its tier was inferred and is observed"},
		{"written since", fresh, false, true, "recorded since"},
		{"the revision", next, false, true, "recorded since"},
	} {
		c, is := why[tt.ref]
		if !is || (c.Was > 0) != tt.was || (c.Is > 0) != tt.is || c.Reason != tt.reason {
			t.Errorf("%s: %+v, want %q", tt.what, c, tt.reason)
		}
	}
	if c, moved := why[stays]; moved && (c.Was == c.Is || c.Reason == "") {
		t.Errorf("what stays: %+v", c)
	}
	if len(r.Now) != 4 || len(r.Receipt.Results) != 6 {
		t.Errorf("%d now and %d then, want 4 and 6", len(r.Now), len(r.Receipt.Results))
	}
}

// What others push off the list is said to be; so is what moved.
func TestReplaySaysWhatMoved(t *testing.T) {
	p := withReceipts(t)
	first, second := add(t, p.Agent, "note", "the harbour is open today"), add(
		t, p.Agent, "note", "the harbour is open tomorrow, as it was on every day before",
	)
	in := api.SearchRequest{Query: "is the harbour open", Limit: 2}
	given := search(t, p.Agent, in)
	if !slices.Equal(refs(given), []string{first, second}) {
		t.Fatalf("found %v, want the shorter first", shortened(refs(given)))
	}
	third := write(
		t, p.Owner,
		api.AddRequest{Draft: api.Draft{Kind: "note", Text: "the harbour is open"}, Meta: api.Meta{Approve: true}},
	)
	r := replay(t, p.Agent, given.Receipt)
	got := make(map[string]string)
	for _, c := range r.Changes {
		got[c.Ref] = fmt.Sprintf("%d to %d: %s", c.Was, c.Is, c.Reason)
	}
	if got[third] != "0 to 1: recorded since" || !strings.HasPrefix(got[first], "1 to 2: ") ||
		got[second] != "2 to 0: others rank before it now" {
		t.Errorf("changes %v", got)
	}
}

// A receipt that is not there, or may be several, is an error that says so.
func TestNoSuchReceipt(t *testing.T) {
	p := withReceipts(t)
	capture(t, p.Agent, "words")
	for range 40 { // of 40 ids two begin alike
		search(t, p.Agent, api.SearchRequest{Query: "words"})
	}
	for _, tt := range []struct {
		id   string
		want error
	}{{"", api.ErrInvalid}, {"zzzz", api.ErrNotFound}, {strings.Repeat("0", 12), api.ErrNotFound}} {
		if _, err := p.Agent.Receipt(t.Context(), api.ReceiptRequest{ID: tt.id}); !errors.Is(err, tt.want) {
			t.Errorf("receipt %q: %v, want %v", tt.id, err, tt.want)
		}
		if _, err := p.Agent.Replay(t.Context(), api.ReceiptRequest{ID: tt.id}); !errors.Is(err, tt.want) {
			t.Errorf("replay %q: %v, want %v", tt.id, err, tt.want)
		}
	}
	ambiguous := 0
	for _, digit := range "0123456789abcdef" {
		if _, err := p.Agent.Receipt(t.Context(), api.ReceiptRequest{ID: string(digit)}); errors.Is(err, api.ErrAmbiguous) {
			ambiguous++
		}
	}
	if ambiguous == 0 {
		t.Error("no first digit of 40 ids is ambiguous")
	}
	if _, err := p.As(
		memory.OriginAgent, func(c *engine.Config) { c.Receipts = "" },
	).Receipt(t.Context(), api.ReceiptRequest{ID: "a"}); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("where none are kept: %v, want not found", err)
	}
}

// A place that cannot be written holds up no answer.
func TestReceiptsThatCannotBeWritten(t *testing.T) {
	p := newPeople(
		t,
		func(c *engine.Config) { c.Receipts = filepath.Join(t.TempDir(), "is", "not", "there\x00", "receipts") },
	)
	capture(t, p.Agent, "words")
	if r := search(t, p.Agent, api.SearchRequest{Query: "words"}); len(r.Results) != 1 {
		t.Errorf("%d results, want 1", len(r.Results))
	}
}
