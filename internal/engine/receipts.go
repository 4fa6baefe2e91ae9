package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// receiptText is how much of a headline a receipt keeps, in bytes.
const receiptText = 160

// receipts are kept in a file of the person's, by a goroutine that nothing waits for
// before Close.
type receipts struct {
	file   *journal.File
	before *journal.File // what an earlier version kept beside the store; nil is none
	store  string        // see Receipt.Store
	path   string        // see Receipt.Path
	beside bool          // the file lies beside the store: a receipt without a store is of this one

	sync.Mutex
	made   int
	last   chan struct{} // closed when all so far are kept; nil before the first
	failed error
}

// noted is what the voices of one opened store share of what was given.
type noted struct {
	given receipts
	swept swept
}

// name says which store this is.
func (r *receipts) name(spec, file string) {
	name := spec
	if path, ok := sqlitePath(spec); ok {
		name = realPath(path)
		r.path = name
		r.beside = file != "" && filepath.Dir(name) == filepath.Dir(realPath(file))
	}
	sum := sha256.Sum256([]byte(name))
	r.store = hex.EncodeToString(sum[:6])
}

// realPath is the path of a file without links, as far as that can be told.
func realPath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// A kept line is one of either file.
type kept struct {
	journal.Line
	old bool // from the file that an earlier version kept beside the store
}

// files gives the journals there are, that of today first.
func (r *receipts) files() []*journal.File {
	if r.before == nil {
		return []*journal.File{r.file}
	}
	return []*journal.File{r.file, r.before}
}

// all gives the lines of both files, newest first in each.
func (r *receipts) all() iter.Seq2[kept, error] {
	return func(yield func(kept, error) bool) {
		for _, f := range r.files() {
			for line, err := range f.All() {
				if !yield(kept{line, f == r.before}, err) {
					return
				}
			}
		}
	}
}

// texts gives the lines of both as they are.
func (r *receipts) texts() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, f := range r.files() {
			for text, err := range f.Texts() {
				if !yield(text, err) {
					return
				}
			}
		}
	}
}

// unreadable counts the lines that the last reading passed over.
func (r *receipts) unreadable() int {
	n := r.file.Passed()
	if r.before != nil {
		n += r.before.Passed()
	}
	return n
}

// mine tells whether a receipt is of this store. Those of earlier versions name none.
func (r *receipts) mine(one *api.Receipt, old bool) bool {
	return one.Store == r.store || one.Store == "" && (old || r.beside)
}

// later calls f once those before it have been called, and holds up nobody.
func (r *receipts) later(f func()) {
	r.Lock()
	defer r.Unlock()
	before, last := r.last, make(chan struct{})
	r.last = last
	go func() {
		defer close(last)
		if before != nil {
			<-before
		}
		f()
	}()
}

// wait waits for those so far, however many come meanwhile.
func (r *receipts) wait() {
	r.Lock()
	last := r.last
	r.Unlock()
	if last != nil {
		<-last
	}
}

// keepsReceipts tells whether what is answered is kept: for agents, and where
// there is a place to write. Receipts lie with the person, not beside a store: those of
// a stranger's store are kept, too.
func (e *Engine) keepsReceipts() bool {
	return e.c.Receipts != "" && (!e.c.ReadOnly || e.c.Foreign) && e.c.Origin != memory.OriginOwner
}

// receipt keeps what a search gave, and gives its name.
func (e *Engine) receipt(in api.SearchRequest, reply api.SearchReply, all []*found) string {
	if !e.keepsReceipts() {
		return ""
	}
	r := e.newReceipt("search", in.Query, in)
	r.Embedder, r.Warnings = reply.Embedder, reply.Warnings
	byRef := make(map[string]*found, len(all))
	for _, f := range all {
		byRef[f.Ref.String()] = f
	}
	results := slices.Clone(reply.Results) // whoever asked may change his
	return e.keep(r, func() {
		for _, x := range results {
			if f := byRef[x.Ref]; f != nil && x.Remote == "" {
				r.Results = append(r.Results, receipted(x.Rank, f))
				continue
			}
			r.Results = append(r.Results, api.Receipted{Rank: x.Rank, Ref: x.Ref, Text: memory.Cut(x.Text, receiptText), Score: x.Score, Factors: x.Factors, Tier: x.Tier, Signature: "none", Remote: x.Remote, External: x.Remote != "" || x.Tainted})
		}
	})
}

// receiptOfPack keeps what a pack showed.
func (e *Engine) receiptOfPack(op, query string, in any, made *madePack) {
	if e.keepsReceipts() {
		r, given := e.newReceipt(op, query, in), made.given()
		e.keep(r, func() {
			e.judge(given)
			for i, f := range given {
				r.Results = append(r.Results, receipted(i+1, f))
			}
		})
	}
}

// judge says of memories which nobody judged yet whether they are external. What
// cannot be told is: that marks too much, never too little.
func (e *Engine) judge(given []*found) {
	var items []*store.Item
	for _, f := range given {
		if f.vouched == nil {
			items = append(items, f.Item)
		}
	}
	if len(items) == 0 {
		return
	}
	trusted, err := e.vouch(context.Background(), items, false)
	for i, f := range given {
		if f.vouched != nil {
			continue
		}
		own := *f // others may read the pack meanwhile
		if own.vouched = trusted[f.Ref.ID]; err != nil || own.vouched == nil {
			own.vouched = &vouched{tainted: true}
		}
		given[i] = &own
	}
}

// noteShown keeps which external memories another reading showed an agent: what is said
// afterwards may be theirs. What is not external leaves no receipt there.
func (e *Engine) noteShown(op string, items []*store.Item, trusted map[memory.ID]*vouched) {
	if !e.keepsReceipts() {
		return
	}
	var external []*found
	for _, it := range items {
		if it == nil || it.Record == nil || !it.Ref.Kind.IsMemory() {
			continue
		}
		if v := trusted[it.Ref.ID]; v != nil && v.tainted {
			external = append(external, beside(it, v))
		}
	}
	if len(external) == 0 {
		return
	}
	r := e.newReceipt(op, "", struct{}{})
	e.keep(r, func() {
		for i, f := range external[:min(len(external), maxSearch)] {
			r.Results = append(r.Results, receipted(i+1, f))
		}
	})
}

// given gives what a pack shows, in its order.
func (r *madePack) given() []*found {
	byRef := make(map[string]*found, len(r.from))
	for _, f := range r.from {
		byRef[f.Ref.Short()] = f
	}
	var out []*found
	for _, ref := range r.page.Shown {
		if f := byRef[ref]; f != nil {
			out = append(out, f)
		}
	}
	return out
}

// receipted is one memory as a receipt keeps it.
func receipted(rank int, f *found) api.Receipted {
	return api.Receipted{Rank: rank, Ref: f.Ref.String(), Text: memory.Cut(f.Record.Headline(), receiptText),
		Score: thousandth(f.factors.Score()), Factors: f.factors, Tier: string(f.tier), Signature: signatureOf(f.Record), Remote: "", External: f.vouched != nil && f.vouched.tainted}
}

func (e *Engine) newReceipt(op, query string, in any) *api.Receipt {
	now := e.c.Now()
	e.given.Lock()
	e.given.made++
	n := e.given.made
	e.given.Unlock()
	query = secrets.Private(query)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s %p", op, now.UnixNano(), n, query, e))
	request, _ := json.Marshal(in) // a request that was read can be written
	return &api.Receipt{
		ID: hex.EncodeToString(sum[:6]), Op: op, At: memory.At(now).String(), Origin: string(e.c.Origin), Agent: e.c.Agent,
		Session: e.c.Session, Key: e.c.KeySession, Store: e.given.store, Path: e.given.path, Query: memory.Cut(query, memory.MaxNameBytes*4), Request: withoutPrivate(request), Results: []api.Receipted{},
	}
}

// keep writes a receipt, which fill fills, without holding up the answer.
func (e *Engine) keep(r *api.Receipt, fill func()) string {
	e.given.later(func() {
		fill()
		if err := e.given.file.Append(r.ID, receiptMembers(r)); err != nil {
			e.given.Lock()
			e.given.failed = err
			e.given.Unlock()
		}
		_ = e.sweep(context.Background()) // it may show what another process purged meanwhile
	})
	return r.ID
}

// members is the receipt without its id, which the journal writes.
func receiptMembers(r *api.Receipt) any {
	type rest api.Receipt
	return struct {
		rest
		ID string `json:"id,omitempty"`
	}{rest: rest(*r)}
}

func signatureOf(r *memory.Record) string {
	if len(r.Sigs) == 0 {
		return "none"
	}
	if verify(r) != nil {
		return "invalid"
	}
	return "valid"
}

// shownReceipts is how many receipts a list has unless told otherwise.
const shownReceipts = 20

// Receipts lists what searches and packs gave to agents.
func (e *Engine) Receipts(_ context.Context, in api.ReceiptsRequest) (api.ReceiptsReply, error) {
	reply := api.ReceiptsReply{Receipts: []api.Receipt{}}
	limit := in.Limit
	if limit == 0 {
		limit = shownReceipts
	}
	var since, until time.Time
	for _, t := range []struct {
		field, text string
		into        *time.Time
	}{{"since", in.Since, &since}, {"until", in.Until, &until}} {
		if t.text != "" {
			var err error
			if *t.into, err = e.ago(t.field, t.text); err != nil {
				return reply, err
			}
		}
	}
	if in.AllStores {
		if err := e.ownerOnly("list what other stores showed"); err != nil {
			return reply, err
		}
	}
	if e.c.Receipts == "" {
		return reply, nil
	}
	e.given.wait() // what was just answered too
	for line, err := range e.given.all() {
		if err != nil {
			return reply, &failure{kind: api.ErrUnavailable, text: oneLine(err)}
		}
		var r api.Receipt
		if json.Unmarshal(line.JSON, &r) != nil {
			reply.Passed++
			continue
		}
		at, err := parseTime("at", r.At)
		if err != nil || !since.IsZero() && at.Before(since) || !until.IsZero() && !at.Before(until) ||
			!in.AllStores && !e.given.mine(&r, line.old) || in.Session != "" && r.Session != in.Session || in.Ref != "" && !receiptHas(&r, in.Ref) {
			continue
		}
		if limit > 0 && len(reply.Receipts) == limit {
			reply.More = true
			break
		}
		reply.Receipts = append(reply.Receipts, r)
	}
	reply.Passed += e.given.unreadable()
	return reply, nil
}

func receiptHas(r *api.Receipt, ref string) bool {
	return slices.ContainsFunc(r.Results, func(one api.Receipted) bool { return refBegins(one.Ref, ref) })
}

// Receipt gives one receipt whole.
func (e *Engine) Receipt(_ context.Context, in api.ReceiptRequest) (api.Receipt, error) {
	var r api.Receipt
	if in.ID == "" {
		return r, invalid("id: name a receipt; 'stemma receipts list' shows them")
	}
	if e.c.Receipts == "" {
		return r, notFound("no receipts are kept here")
	}
	e.given.wait()
	var lines []kept
	for line, err := range e.given.all() {
		if err != nil {
			return r, &failure{kind: api.ErrUnavailable, text: oneLine(err)}
		}
		var one api.Receipt
		if !strings.HasPrefix(line.ID, in.ID) {
			continue
		}
		if json.Unmarshal(line.JSON, &one) == nil && !e.given.mine(&one, line.old) && e.c.Origin != memory.OriginOwner {
			continue // what another store showed is the person's to see
		}
		line.JSON = bytes.Clone(line.JSON) // not to hold on to the whole file
		lines = append(lines, line)
	}
	switch len(lines) {
	case 0:
		return r, notFound("there is no receipt %s; 'stemma receipts list' shows those there are", memory.Cut(in.ID, 40))
	case 1:
		if err := json.Unmarshal(lines[0].JSON, &r); err != nil {
			return r, &failure{kind: api.ErrUnavailable, text: "receipt " + in.ID + " cannot be read: " + oneLine(err)}
		}
		return r, nil
	}
	return r, &failure{kind: api.ErrAmbiguous, text: fmt.Sprintf("%s fits %d receipts; give more of the id", memory.Cut(in.ID, 40), len(lines))}
}
