package receipts_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/memory"
)

// What an agent was shown in its session, and names as no source, stands behind
// what it writes there: words from outside stay marked when they are said again.
func TestWhatAnAgentWasShownIsASourceOfWhatItWrites(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	open := func(origin memory.Origin, session string) *engine.Engine {
		e, err := engine.Open(ctx, filepath.Join(dir, "store.db"), engine.Config{
			Databases: enginetest.Databases,
			Origin:    origin, Session: session, Receipts: filepath.Join(dir, "receipts.jsonl"),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		return e
	}
	tool := open(memory.OriginTool, "")
	told, err := tool.Capture(ctx, api.CaptureRequest{Text: "the vault password rotation is disabled for good"})
	if err != nil {
		t.Fatal(err)
	}
	note := func(e *engine.Engine) (api.TrustReply, api.ShowReply) {
		t.Helper()
		w, err := e.Add(ctx, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "Vault rotation is off"}})
		if err != nil {
			t.Fatal(err)
		}
		tr, err := e.Trust(ctx, api.RefRequest{Ref: w.Ref})
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Show(ctx, api.RefRequest{Ref: w.Ref})
		if err != nil {
			t.Fatal(err)
		}
		return tr, s
	}
	agent := open(memory.OriginAgent, "monday")
	if tr, _ := note(agent); tr.Tainted {
		t.Errorf("before it was shown anything: tainted")
	}
	if _, err := agent.Search(ctx, api.SearchRequest{Query: "vault rotation", Kind: "raw"}); err != nil {
		t.Fatal(err)
	}
	agent.Close()
	tr, s := note(open(memory.OriginAgent, "monday"))
	if !tr.Tainted || tr.Limit == nil || tr.Limit.Ref != told.Ref || tr.Actionable || s.Level != "unverified" {
		t.Errorf(
			"after a search: tainted %v, limit %+v, actionable %v, level %s; want what it was shown to limit it",
			tr.Tainted, tr.Limit, tr.Actionable, s.Level,
		)
	}
	if !slices.Contains(tr.Flags, "tainted") {
		t.Errorf("flags %q, want tainted", tr.Flags)
	}
	if tr, _ := note(open(memory.OriginOwner, "monday")); tr.Tainted {
		t.Errorf("by the owner: tainted")
	}
}

// inbox is a store with words from outside, and an agent that can be shown them.
type inbox struct {
	*people
	external string // the words from outside
	own      string // words of the person
}

func newInbox(t *testing.T) *inbox {
	p := newPeople(t, func(c *engine.Config) { c.Receipts = filepath.Join(t.TempDir(), "receipts.jsonl") })
	return &inbox{
		people:   p,
		external: capture(t, p.As(memory.OriginTool), "the vault password rotation is disabled for good"),
		own:      capture(t, p.Owner, "the harbour is painted red"),
	}
}

// talks returns the agent in a conversation.
func (b *inbox) talks(change func(*engine.Config)) *engine.Engine {
	return b.As(memory.OriginAgent, func(c *engine.Config) { change(c) })
}

// shows has an agent find something.
func (b *inbox) shows(change func(*engine.Config), query string) {
	b.T.Helper()
	e := b.talks(change)
	if r := search(b.T, e, api.SearchRequest{Query: query}); len(r.Results) == 0 {
		b.T.Fatalf("nothing is found about %q", query)
	}
	if err := e.Close(); err != nil {
		b.T.Fatal(err)
	}
}

// marked reports whether what the agent writes in a conversation is marked.
func (b *inbox) marked(change func(*engine.Config)) bool {
	b.T.Helper()
	e := b.talks(change)
	ref := write(
		b.T, e,
		api.AddRequest{
			Draft: api.Draft{Kind: "belief", Text: fmt.Sprint("The vault password rotation is disabled, ", b.At.Add(1))},
		},
	)
	return trustIn(b.T, b.Owner, ref).Tainted // an agent that asks is shown it
}

func session(name string, more ...string) func(*engine.Config) {
	return func(c *engine.Config) { c.Session, c.Sessions = name, more }
}

// What a conversation was shown counts under each of its names, and nothing that
// another was shown, as long as its host names it.
func TestAConversationHasSeveralNames(t *testing.T) {
	b := newInbox(t)
	b.shows(session("hook"), "vault rotation")
	b.shows(session("other"), "harbour")
	b.shows(session("server"), "harbour")
	unnamed := func(name string, more ...string) func(*engine.Config) {
		return func(c *engine.Config) { c.Session, c.Sessions, c.Unnamed = name, more, true }
	}
	for _, tt := range []struct {
		what   string
		change func(*engine.Config)
		want   bool
	}{
		{"its own name", session("hook"), true},
		{"its second name", session("server", "hook"), true},
		{"its second name alone", session("", "hook"), true},
		{"another conversation", session("other"), false},
		{"another, with a second name", session("server", "other"), false},
		{"a name made up, and that of a hook", unnamed("server", "other"), false},
		{"a name made up, and that of the hook that showed it", unnamed("server", "hook"), true},
		{"a name made up alone", unnamed("server"), true},
	} {
		if got := b.marked(tt.change); got != tt.want {
			t.Errorf("%s: marked %v, want %v", tt.what, got, tt.want)
		}
	}
}

// Where nothing is known of a conversation, all that the agent's key was shown within
// the last hour counts, and nothing older.
func TestWithoutANameTheLastHourCounts(t *testing.T) {
	b := newInbox(t)
	grant, err := b.Owner.KeyDelegate(t.Context(), api.KeyRequest{Name: "ci", Expires: "24h"})
	if err != nil || grant.Key == "" {
		t.Fatal(err)
	}
	ci := func(c *engine.Config) { c.KeySession = "ci" }
	b.shows(session("hook"), "vault rotation")
	ahead := 0
	for _, tt := range []struct {
		minutes int
		what    string
		change  func(*engine.Config)
		want    bool
	}{
		{1, "no name", session(""), true},
		{1, "a name under which nothing was shown", session("new"), true},
		{1, "the key of another agent", ci, false},
		{50, "no name, later", session(""), true},
		{61, "no name, after an hour", session(""), false},
		{61, "a name under which nothing was shown, after an hour", session("new"), false},
		{61, "the name under which it was shown", session("hook"), true},
	} {
		b.Ahead(time.Duration(tt.minutes-ahead) * time.Minute)
		ahead = tt.minutes
		if got := b.marked(tt.change); got != tt.want {
			t.Errorf("%s: marked %v, want %v", tt.what, got, tt.want)
		}
	}
}

// What one store showed stands behind what is written into another: its id stays,
// though the other does not hold it, where it was external, and only there.
func TestWhatAnotherStoreShowedIsNamed(t *testing.T) {
	b := newInbox(t)
	b.shows(session("one"), "vault rotation")
	b.shows(session("one"), "harbour")
	c := b.Config
	c.Origin, c.Session = memory.OriginAgent, "one"
	other := open(t, filepath.Join(t.TempDir(), "memory.db"), c)
	write(t, other, api.AddRequest{Draft: api.Draft{Kind: "belief", Text: "Vault rotation is off"}})
	var out bytes.Buffer
	if _, err := other.Export(t.Context(), &out, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	var recalled []string
	for line := range strings.Lines(out.String()) {
		var l struct{ Payload string }
		var r struct{ Recalled []string }
		if json.Unmarshal([]byte(line), &l) != nil {
			continue
		}
		payload, err := base64.StdEncoding.DecodeString(l.Payload)
		if err == nil && json.Unmarshal(payload, &r) == nil {
			recalled = append(recalled, r.Recalled...)
		}
	}
	_, id, _ := strings.Cut(b.external, ":")
	if !slices.Equal(recalled, []string{id}) {
		t.Errorf("recalled %q, want %q alone", recalled, id)
	}
}

// Receipts lie in one file: a store shows its own, and a person those of all.
func TestReceiptsOfSeveralStores(t *testing.T) {
	b := newInbox(t)
	b.shows(session("one"), "vault rotation")
	c := b.Config
	c.Origin = memory.OriginAgent
	path := filepath.Join(t.TempDir(), "memory.db")
	other := open(t, path, c)
	capture(t, other, "the harbour is painted blue")
	given := search(t, other, api.SearchRequest{Query: "harbour"})
	list := receipts(t, other, api.ReceiptsRequest{}).Receipts
	if len(list) != 1 || list[0].ID != given.Receipt || filepath.Base(list[0].Path) != "memory.db" {
		t.Errorf("of the other store: %+v, want what it answered and where it is", list)
	}
	if _, err := other.Receipts(t.Context(), api.ReceiptsRequest{AllStores: true}); !errors.Is(err, api.ErrForbidden) {
		t.Errorf("an agent asks for all stores: %v, want it forbidden", err)
	}
	all := receipts(t, b.Owner, api.ReceiptsRequest{AllStores: true}).Receipts
	if len(all) != 2 || len(receipts(t, b.Owner, api.ReceiptsRequest{}).Receipts) != 1 {
		t.Errorf("the person is shown %d of all stores, want 2, and 1 of this", len(all))
	}
	if _, err := b.Agent.Receipt(t.Context(), api.ReceiptRequest{ID: given.Receipt}); !errors.Is(err, api.ErrNotFound) {
		t.Errorf("an agent asks what another store showed: %v, want that it is not there", err)
	}
	if _, err := b.Owner.Replay(t.Context(), api.ReceiptRequest{ID: given.Receipt}); !isInvalid(err) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("replay in the wrong store: %v, want where the right one is", err)
	}
	if r := replay(t, other, given.Receipt); len(r.Changes) != 0 {
		t.Errorf("replay: %+v, want the same", r.Changes)
	}
}

// What an earlier version noted beside a store still counts, is listed, and is
// purged.
func TestReceiptsOfAnEarlierVersion(t *testing.T) {
	b := newInbox(t)
	b.shows(session("one"), "vault rotation")
	text, err := os.ReadFile(b.Config.Receipts)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`"(store|path)":"[^"]*",|,"external":true`).ReplaceAll(text, nil)
	b.Config.Earlier = filepath.Join(t.TempDir(), "receipts.jsonl")
	if err := errors.Join(os.WriteFile(b.Config.Earlier, text, 0o600), os.Remove(b.Config.Receipts)); err != nil {
		t.Fatal(err)
	}
	if !b.marked(session("one")) {
		t.Error("what was shown before does not count")
	}
	agent := b.talks(session("one"))
	if list := receipts(t, agent, api.ReceiptsRequest{}).Receipts; len(list) != 1 {
		t.Errorf("%d receipts, want that one", len(list))
	}
	if _, err := b.As(memory.OriginOwner).Purge(t.Context(), api.PurgeRequest{Refs: []string{b.external}}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(b.Config.Earlier); err != nil || len(text) > 0 {
		t.Errorf("after the purge: %q, %v, want nothing", text, err)
	}
}
