package care

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// An Observed is something that a hook saw happen in an agent's host.
type Observed struct {
	ID    string   `json:"id"`              // of this happening: what is handed over again is not stored again
	Alias []string `json:"alias,omitempty"` // what the host calls it; one that is held was stored before
	Said  string   `json:"said,omitempty"`  // names words that may be said again: each time is counted

	Text       string   `json:"text"`
	Event      string   `json:"event,omitempty"`
	Speaker    string   `json:"speaker,omitempty"`
	Caption    string   `json:"caption,omitempty"`
	OccurredAt string   `json:"occurred_at,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Session    string   `json:"session,omitempty"`
	Agent      string   `json:"agent,omitempty"`
	Platform   string   `json:"platform,omitempty"`
	Tool       bool     `json:"tool,omitempty"`    // the words are what a tool gave
	Outside    bool     `json:"outside,omitempty"` // and they came from outside, such as a web page
	From       string   `json:"from,omitempty"`    // what a reader calls the source: "curl example.org"
	Space      string   `json:"space,omitempty"`   // of the project in which it happened; "" is that of the reader
}

// ObserveReply says what became of it.
type ObserveReply struct {
	Refs    []string `json:"refs,omitempty"` // of what was stored
	Present int      `json:"already_there"`
}

// Observe keeps what hooks saw, all or nothing, each happening once: it may be called
// again with the same after a crash, by several processes at once. What a tool gave
// has the origin tool, everything else that of an agent. Secrets and what is
// marked as private are taken out whatever is set.
func (e *Care) Observe(ctx context.Context, seen []Observed) (ObserveReply, error) {
	var reply ObserveReply
	if len(seen) == 0 {
		return reply, nil
	}
	me, err := e.OwnKeys()
	if err != nil {
		return reply, err
	}
	spaces, bySpace, err := e.bySpace(me.Principal, seen)
	if err != nil {
		return reply, err
	}
	for try := 1; ; try++ {
		reply = ObserveReply{}
		var records []*memory.Record
		for _, space := range spaces {
			// most is new: whether it is, is asked only of a store that says it is not
			some, err := e.observed(ctx, space, bySpace[space], try > 1, &reply)
			if err != nil {
				return reply, err
			}
			records = append(records, some...)
		}
		if len(records) == 0 {
			return reply, err
		}
		if try == 1 { // before they are kept: handed over again, they are not new
			e.receipts.NoteHooked(outside(seen, records))
		}
		jobs, done, err := e.lifecycle.Turns(records)
		if err != nil {
			return ObserveReply{}, err
		}
		err = e.Append(ctx, store.Batch{Records: records, Jobs: jobs, NewAliases: true})
		if errors.Is(err, store.ErrConflict) && try < mostObserveTries {
			continue // some of it is there, or somebody else stores it meanwhile
		}
		if err != nil {
			return ObserveReply{}, err
		}
		e.receipts.Given.Wait() // what is written next may come from another process
		for _, r := range records {
			reply.Refs = append(reply.Refs, r.Ref().String())
		}
		done(ctx)
		return reply, nil
	}
}

// bySpace parts events by the space that each belongs to, which is not always the caller's: they may have waited.
func (e *Care) bySpace(owner string, seen []Observed) (spaces []string, parts map[string][]Observed, err error) {
	parts = make(map[string][]Observed)
	for _, o := range seen {
		space := o.Space
		switch {
		case space == "":
			if space, err = e.WriteSpace(owner); err != nil {
				return nil, nil, err
			}
		case !strings.Contains(space, "/"):
			space = owner + "/" + space
		}
		if parts[space] == nil {
			spaces = append(spaces, space)
		}
		parts[space] = append(parts[space], o)
	}
	return spaces, parts, nil
}

// outside returns, by session, the new records of what came from outside.
func outside(seen []Observed, records []*memory.Record) map[string][]*memory.Record {
	named := make(map[string]bool)
	for _, o := range seen {
		if o.Outside {
			named[plain("hook:"+o.ID)] = true
		}
	}
	out := make(map[string][]*memory.Record)
	for _, r := range records {
		if slices.ContainsFunc(r.Header.Alias, func(alias string) bool { return named[alias] }) {
			out[r.Header.Session] = append(out[r.Header.Session], r)
		}
	}
	return out
}

const (
	mostObserveTries = 5
	askedAtOnce      = 8 // how many times of the same words are asked about at once
)

// observed makes records of the events that are not stored yet.
func (e *Care) observed(
	ctx context.Context, space string, seen []Observed, look bool, reply *ObserveReply,
) ([]*memory.Record, error) {
	held := make(map[string]bool)
	ask := func(aliases ...string) error {
		if !look {
			return nil
		}
		found, err := e.Store.Aliased(ctx, space, aliases...)
		for a := range found {
			held[a] = true
		}
		return core.Classify(err)
	}
	var all []string
	for _, o := range seen {
		for _, a := range append(o.Alias[:len(o.Alias):len(o.Alias)], "hook:"+o.ID) {
			all = append(all, plain(a))
		}
	}
	if err := ask(all...); err != nil {
		return nil, err
	}
	var records []*memory.Record
	for _, o := range seen {
		aliases := []string{plain("hook:" + o.ID)}
		for _, a := range o.Alias {
			aliases = append(aliases, plain(a))
		}
		there := false
		for _, a := range aliases {
			there = there || held[a]
		}
		if there {
			reply.Present++
			continue
		}
		if o.Said != "" {
			said, err := nextSaying(plain(o.Said), held, ask)
			if err != nil {
				return nil, err
			}
			aliases = append(aliases, said)
		}
		r, err := e.observedRecord(space, o, aliases)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", core.Or(o.Event, "event"), err)
		}
		for _, a := range aliases {
			held[a] = true
		}
		records = append(records, r)
	}
	return records, nil
}

// nextSaying returns the first number of a saying that is not taken.
func nextSaying(said string, held map[string]bool, ask func(...string) error) (string, error) {
	for n := 1; ; n += askedAtOnce {
		batch := make([]string, askedAtOnce)
		for i := range batch {
			batch[i] = Saying(said, n+i)
		}
		if err := ask(batch...); err != nil {
			return "", err
		}
		for _, a := range batch {
			if !held[a] {
				return a, nil
			}
		}
	}
}

// Saying returns the alias that a saying has the nth time, from 1.
func Saying(said string, n int) string { return fmt.Sprintf("%s:%d", said, n) }

// plain returns an alias that does not look like a secret: what a host calls things is
// not ours to choose, and an alias cannot be redacted.
func plain(alias string) string {
	if len(alias) <= memory.MaxText && len(secrets.Find(alias)) == 0 && secrets.Private(alias) == alias {
		return alias
	}
	sum := sha256.Sum256([]byte(alias))
	return "hashed:" + hex.EncodeToString(sum[:])
}

func (e *Care) observedRecord(space string, o Observed, aliases []string) (*memory.Record, error) {
	raw := &memory.Raw{Text: o.Text, Source: "hook", Event: o.Event, Speaker: o.Speaker, Caption: o.Caption}
	var err error
	if raw.OccurredAt, err = core.ParseTime("occurred_at", o.OccurredAt); err != nil {
		return nil, err
	}
	h, err := core.MetaHeader(api.Meta{Tags: o.Tags, Session: o.Session}, memory.Certain)
	if err != nil {
		return nil, err
	}
	h.Space, h.Alias, h.Agent, h.Platform = space, aliases, o.Agent, o.Platform
	h.Provenance.Via = memory.ViaDirect
	h.Origin = memory.OriginAgent
	if o.Tool {
		h.Origin = memory.OriginTool
	}
	if o.Outside {
		h.Provenance.Context = core.ContextOutside + core.Or(o.From, o.Speaker)
	}
	r, _, err := e.SignClean(h, raw)
	return r, err
}
