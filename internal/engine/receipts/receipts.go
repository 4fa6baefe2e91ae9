package receipts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/secrets"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// ReceiptText is how much of a headline a receipt keeps, in bytes.
const ReceiptText = 160

// ReceiptLine is what a receipt keeps of a text: one that is cut ends in "…". All its words are read by its ref.
func ReceiptLine(s string) string {
	if len(s) <= ReceiptText {
		return s
	}
	return shorten.Words(s, ReceiptText-len("…")) + "…"
}

// A Shown is one memory of an answer.
type Shown struct {
	*store.Item
	Rating  *trust.Rating // nil is that it has none yet
	Factors rank.Factors
	Tier    state.Tier
}

// KeepsReceipts reports whether answers are recorded: for agents, and if there is a place to
// write. Receipts are in the person's data directory, not next to a store: those of a
// stranger's store are recorded, too.
func (e *Journal) KeepsReceipts() bool {
	return e.C.Receipts != "" && (!e.C.ReadOnly || e.C.Foreign) && e.C.Origin != memory.OriginOwner
}

// MarkExternal marks the external ones among memories without a rating. Where it is unknown, a
// memory is marked: that marks too much, never too little.
func (e *Journal) MarkExternal(given []Shown) {
	var items []*store.Item
	for _, f := range given {
		if f.Rating == nil {
			items = append(items, f.Item)
		}
	}
	if len(items) == 0 {
		return
	}
	trusted, err := e.trust.Rate(e.trust.Reading(context.Background()), items, false)
	for i, f := range given {
		if f.Rating != nil {
			continue
		}
		if given[i].Rating = trusted[f.Ref.ID]; err != nil || given[i].Rating == nil {
			given[i].Rating = &trust.Rating{Tainted: true}
		}
	}
}

// NoteShown records which external memories another operation showed an agent, since what the
// agent says afterwards may come from them. Other memories leave no receipt there.
func (e *Journal) NoteShown(op string, items []*store.Item, trusted map[memory.ID]*trust.Rating) {
	if !e.KeepsReceipts() {
		return
	}
	var external []Shown
	for _, it := range items {
		if it == nil || it.Record == nil || !it.Ref.Kind.IsMemory() {
			continue
		}
		if v := trusted[it.Ref.ID]; v != nil && v.Tainted {
			external = append(external, Shown{Item: it, Rating: v, Tier: v.Tier})
		}
	}
	if len(external) == 0 {
		return
	}
	r := e.NewReceipt(op, "", struct{}{})
	e.Keep(r, func() {
		for i, f := range external[:min(len(external), core.MaxSearch)] {
			r.Results = append(r.Results, Receipted(i+1, f))
		}
	})
}

// NoteHooked records that agents were shown records of outside words in their sessions, as a hook
// saw it. Whose program takes the hook's event in does not matter.
func (e *Journal) NoteHooked(shown map[string][]*memory.Record) {
	if e.C.Receipts == "" || e.C.ReadOnly && !e.C.Foreign {
		return
	}
	for session, records := range shown {
		r := e.NewReceipt(opHook, "", struct{}{})
		r.Session, r.Origin = session, string(memory.OriginAgent)
		e.Keep(r, func() {
			for i, of := range records[:min(len(records), core.MaxSearch)] {
				r.Results = append(r.Results, api.Receipted{
					Rank: i + 1, Ref: of.Ref().String(), Text: ReceiptLine(of.Headline()), External: true,
				})
			}
		})
	}
}

// Receipted is one memory as a receipt keeps it.
func Receipted(place int, f Shown) api.Receipted {
	out := api.Receipted{Rank: place, Ref: f.Ref.String(), Text: ReceiptLine(f.Record.Headline()),
		Score: core.Thousandth(rank.Score(f.Factors)), Factors: f.Factors, Tier: string(f.Tier),
		Signature: signatureOf(f.Item), Remote: "", External: f.Rating != nil && f.Rating.Tainted}
	if f.Rating != nil {
		out.Review, out.Level = string(f.Rating.State.Review), string(f.Rating.Level)
	}
	return out
}

// mostWithheld is how many memories that were found and not given a receipt names.
const mostWithheld = 20

// Withheld says of records that were found and are hidden why; more is why others were left out.
func (e *Journal) Withheld(rd *trust.Reading, ids []memory.ID, more []api.Withheld) []api.Withheld {
	out := []api.Withheld{}
	reads, err := e.Reads(rd)
	if err != nil {
		return nil
	}
	left := max(len(ids)-mostWithheld, 0) // the best matches come first
	items, err := rd.Get(ids[:len(ids)-left]...)
	if err != nil {
		return nil // that it is not known is the truth
	}
	for _, it := range items {
		if it == nil || it.Record == nil || !it.Ref.Kind.IsMemory() || !reads(it.Record.Header.Space) {
			continue
		}
		if why := core.Hidden(&it.State); why != "" {
			out = append(out, api.Withheld{Ref: it.Ref.String(), Reason: why})
		}
	}
	if left > 0 {
		out = append(out, api.Withheld{Reason: "hidden", Count: left})
	}
	return append(out, more...)
}

func (e *Journal) NewReceipt(op, query string, in any) *api.Receipt {
	now := e.C.Now()
	e.Given.Lock()
	e.Given.made++
	n := e.Given.made
	e.Given.Unlock()
	query, _ = secrets.Redact(secrets.Private(query)) // a question is noted too, and is no place for a secret
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s %p", op, now.UnixNano(), n, query, e))
	request, _ := json.Marshal(in) // a request that was read can be written
	return &api.Receipt{
		ID: hex.EncodeToString(sum[:6]), Op: op, At: memory.At(now).String(), Origin: string(e.C.Origin), Agent: e.C.Agent,
		Session: e.C.Session, Space: e.C.Space, Key: e.C.KeySession, Store: e.Given.Store, Path: e.Given.path,
		Query: shorten.To(query, memory.MaxNameBytes*4), Request: core.WithoutSecrets(request), Results: []api.Receipted{},
	}
}

// Keep writes a receipt, which fill fills, without holding up the answer.
func (e *Journal) Keep(r *api.Receipt, fill func()) string {
	e.Given.Later(func() {
		fill()
		_ = e.Given.File.Append(r.ID, receiptMembers(r))   // no answer waits for it, or fails with it
		_ = e.Sweep(e.trust.Reading(context.Background())) // it may show what another process purged meanwhile
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

// signatureOf says what the store found when it verified a record.
func signatureOf(it *store.Item) string {
	switch {
	case len(it.Record.Sigs) == 0:
		return "none"
	case it.Doubt == store.Forged:
		return "invalid"
	}
	return "valid"
}

// shownReceipts is how many receipts a list has by default.
const shownReceipts = 20

// Receipts lists what searches and packs gave to agents.
func (e *Journal) Receipts(_ context.Context, in api.ReceiptsRequest) (api.ReceiptsReply, error) {
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
			if *t.into, err = e.Ago(t.field, t.text); err != nil {
				return reply, err
			}
		}
	}
	if in.AllStores {
		if err := e.OwnerOnly("list what other stores showed"); err != nil {
			return reply, err
		}
	}
	if e.C.Receipts == "" {
		return reply, nil
	}
	e.Given.Ready() // what was just answered too
	for line, err := range e.Given.all() {
		if err != nil {
			return reply, &core.Failure{Kind: api.ErrUnavailable, Text: core.OneLine(err)}
		}
		var r api.Receipt
		if json.Unmarshal(line.JSON, &r) != nil {
			reply.Unreadable++
			continue
		}
		at, err := core.ParseTime("at", r.At)
		if err != nil || !since.IsZero() && at.Time().Before(since) || !until.IsZero() && !at.Time().Before(until) ||
			!in.AllStores && !e.Given.mine(&r, line.old) || in.Session != "" && r.Session != in.Session || in.Ref != "" &&
			!receiptHas(&r, in.Ref) || !e.askedHere(&r) {
			continue
		}
		if limit > 0 && len(reply.Receipts) == limit {
			reply.More = true
			break
		}
		reply.Receipts = append(reply.Receipts, r)
	}
	reply.Unreadable += e.Given.unreadable()
	return reply, nil
}

// askedHere reports whether a caller may see what a receipt shows: an agent sees what was asked in its own project.
func (e *Journal) askedHere(r *api.Receipt) bool {
	return e.C.Origin == memory.OriginOwner || e.C.Space == core.AllSpaces || r.Space == e.C.Space
}

// lastSearch is how old the search may be whose places are still known.
const lastSearch = time.Hour

// placed returns the ref at a place of what the last search gave this caller, by its receipt, and
// the question of that search; "" where there is no receipt.
func (e *Journal) placed(place int) (ref, query string) {
	if !e.KeepsReceipts() {
		return "", ""
	}
	e.Given.Wait()
	for line, err := range e.Given.all() {
		var r api.Receipt
		if err != nil || json.Unmarshal(line.JSON, &r) != nil {
			continue
		}
		at, err := core.ParseTime("at", r.At)
		if err != nil || e.C.Now().Sub(at.Time()) > lastSearch {
			break
		}
		if r.Op != "search" || !e.Given.mine(&r, line.old) || r.Session != e.C.Session || r.Key != e.C.KeySession {
			continue
		}
		for _, one := range r.Results {
			if got, err := memory.ParseRef(one.Ref); err == nil && one.Rank == place {
				return got.Short(), r.Query
			}
		}
		break
	}
	return "", ""
}

func receiptHas(r *api.Receipt, ref string) bool {
	return slices.ContainsFunc(r.Results, func(one api.Receipted) bool { return core.RefBegins(one.Ref, ref) })
}

// Receipt returns one receipt whole.
func (e *Journal) Receipt(_ context.Context, in api.ReceiptRequest) (api.Receipt, error) {
	var r api.Receipt
	if in.ID == "" {
		return r, core.Invalid("id: name a receipt; `receipts` shows them")
	}
	if e.C.Receipts == "" {
		return r, core.NotFound("no receipts are kept here")
	}
	e.Given.Ready()
	var lines []kept
	for line, err := range e.Given.all() {
		if err != nil {
			return r, &core.Failure{Kind: api.ErrUnavailable, Text: core.OneLine(err)}
		}
		var one api.Receipt
		if !strings.HasPrefix(line.ID, in.ID) {
			continue
		}
		if json.Unmarshal(line.JSON, &one) == nil && e.C.Origin != memory.OriginOwner &&
			!(e.Given.mine(&one, line.old) && e.askedHere(&one)) {
			continue // what another store, or another project, showed is the person's to see
		}
		line.JSON = bytes.Clone(line.JSON) // not to hold on to the whole file
		lines = append(lines, line)
	}
	switch len(lines) {
	case 0:
		return r, core.NotFound("there is no receipt %s; `receipts` shows those there are", shorten.To(in.ID, 40))
	case 1:
		if err := json.Unmarshal(lines[0].JSON, &r); err != nil {
			return r, &core.Failure{Kind: api.ErrUnavailable, Text: "receipt " + in.ID + " cannot be read: " + core.OneLine(err)}
		}
		return r, nil
	}
	return r, &core.Failure{
		Kind: api.ErrAmbiguous,
		Text: fmt.Sprintf("%s fits %d receipts; give more of the id", shorten.To(in.ID, 40), len(lines)),
	}
}

// KeepReceipts is how many bytes of receipts are kept by default.
const KeepReceipts = 8 << 20
