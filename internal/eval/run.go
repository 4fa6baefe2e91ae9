package eval

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/memory"
)

// askedAt is when every conversation is imported and asked, by the clock of its
// store: today's would give other figures tomorrow.
var askedAt = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// clock begins at askedAt and goes on by a millisecond each time it is read, so
// that of records imported together the later is the newer. Many may read it.
func clock() func() time.Time {
	var reads atomic.Int64
	return func() time.Time { return askedAt.Add(time.Duration(reads.Add(1)) * time.Millisecond) }
}

// noEmbedder stands for the model where there is none.
const noEmbedder = "none"

// Run measures conversations one after another, each in a store of its own. The
// means of all are over questions, not over conversations.
func Run(ctx context.Context, conversations []Conversation, o Options) (Report, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Count == nil {
		o.Count = pack.Estimate
	}
	r := Report{Settings: Settings{
		Store: o.Store, Embedder: noEmbedder, AskedAt: askedAt.Format(time.DateOnly), Observations: o.Observations,
		Limit: Limit, PlainK: plainK, PlainB: plainB,
	}}
	if len(conversations) == 0 {
		return r, api.Invalid("eval: there are no conversations")
	}
	var found, plainly []outcome
	var packed []Pack
	for i := range conversations {
		m := measuring{Conversation: &conversations[i], o: o, asked: len(found)}
		if err := m.run(ctx); err != nil {
			return r, fmt.Errorf("eval %s: %w", m.Name, err)
		}
		r.Conversations = append(r.Conversations, Section{
			Name: m.Name, Turns: m.said, Records: m.stored, Questions: len(m.found),
			Search: table(m.found), Plain: table(m.plainly), Packs: packsOf(m.packed, len(m.found)),
		})
		r.Turns += m.said
		if m.embedder != "" {
			r.Settings.Embedder = m.embedder
		}
		for _, w := range m.warnings {
			if !slices.Contains(r.Warnings, w) {
				r.Warnings = append(r.Warnings, w)
			}
		}
		found, plainly = append(found, m.found...), append(plainly, m.plainly...)
		packed = add(packed, m.packed)
	}
	r.Packs = packsOf(packed, len(found))
	r.Questions, r.Search, r.Plain = len(found), table(found), table(plainly)
	return r, nil
}

// measuring is the run of one conversation.
type measuring struct {
	*Conversation
	o       Options
	asked   int // questions of conversations before
	said    int
	stored  int
	found   []outcome
	plainly []outcome
	packed  []Pack // sums over questions

	embedder string
	warnings []string
}

func (m *measuring) run(ctx context.Context) (err error) {
	if len(m.Questions) == 0 {
		return api.Invalid("there are no questions")
	}
	turns := m.turns()
	m.said = len(turns)
	e, err := m.o.Open(ctx, clock())
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := e.Close(); err == nil {
			err = closeErr
		}
	}()
	if err := m.fill(ctx, e, turns); err != nil {
		return err
	}
	if m.o.Ready != nil {
		if err := m.o.Ready(ctx, e); err != nil {
			return err
		}
	}
	// the first search after an import finishes the index: it is not timed
	if _, err := e.Search(ctx, request(m.Questions[0])); err != nil {
		return err
	}
	p := newPlain(turns)
	var names *named
	if m.o.Packs {
		if names, err = namesOf(ctx, e); err != nil {
			return err
		}
	}
	for i, q := range m.Questions {
		began := m.o.Now()
		reply, err := e.Search(ctx, request(q))
		took := m.o.Now().Sub(began)
		if err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
		m.warnings = append(m.warnings, reply.Warnings...)
		m.embedder = cmp.Or(m.embedder, reply.Embedder)
		out := judge(q, aliases(reply.Results))
		out.took = took
		m.found = append(m.found, out)
		if m.o.Progress != nil {
			m.o.Progress(m.asked + i + 1)
		}
		plainly := p.search(q.Text)
		m.plainly = append(m.plainly, judge(q, plainly))
		if !m.o.Packs {
			continue
		}
		if err := m.packs(ctx, e, q, names, plainly); err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
	}
	return nil
}

// request is a question as it is asked.
func request(q Question) api.SearchRequest {
	return api.SearchRequest{Query: q.Text, Kind: string(memory.KindRaw), Limit: Limit}
}

// aliases returns what the turns found are called in the file.
func aliases(results []api.Result) []string {
	out := make([]string, len(results))
	for i, r := range results {
		if len(r.Alias) > 0 {
			out[i] = r.Alias[0]
		}
	}
	return out
}

// fill imports the conversation.
func (m *measuring) fill(ctx context.Context, e *engine.Engine, turns []api.Foreign) error {
	records := turns
	if m.o.Observations {
		records = m.Records
	}
	reply, err := e.Ingest(ctx, func(yield func(api.Foreign, error) bool) {
		for _, f := range records {
			if !yield(f, nil) {
				return
			}
		}
	}, nil)
	if err != nil {
		return err
	}
	if m.stored = reply.Added; m.stored != len(records) {
		return fmt.Errorf("%d of %d records were new: the store was not empty", m.stored, len(records))
	}
	return nil
}
