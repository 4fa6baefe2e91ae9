package gone

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// A finished act is kept without a word of what went, so that the same command gives the same answer.
type finished struct {
	Store   string            `json:"store"`
	Refs    [][]memory.Ref    `json:"refs"`
	Outcome api.PurgeOutcome  `json:"outcome"`
	Remotes []api.PurgeRemote `json:"remotes"`
}

// remoteWait is how long one remote may take for the exchange that brings it the purge.
const remoteWait = 2 * time.Minute

// certify tells the remotes, looks for the probes once more and signs what came of an act.
func (e *Gone) certify(ctx context.Context, o *order, reply *api.PurgeReply) error {
	if err := e.tellRemotes(ctx, o, reply); err != nil {
		return err
	}
	after, err := e.sift(ctx, o.Probes, "")
	if err != nil {
		return err
	}
	reply.Here, reply.Purged = nil, []string{}
	out := &api.PurgeOutcome{
		Erased: o.Kinds, Probes: o.Probes.Len(), FoundBefore: o.Before, Found: after.found(), FoundIn: after.places(),
		Copies: o.Copies, Unreached: e.unreached(o, after, reply.Remotes),
	}
	if out.Certificate, err = e.signed(ctx, o, out, reply.Remotes, after); err != nil {
		return err
	}
	reply.Outcome = out
	done := finished{Store: o.Store, Refs: o.Refs, Outcome: *out, Remotes: reply.Remotes}
	if err := e.put(o.List+doneSuffix, done); err != nil {
		return core.Classify(err)
	}
	return core.Classify(e.drop(o.List + orderSuffix))
}

// tellRemotes brings the purge to the remotes that answer, and asks all what became of it.
func (e *Gone) tellRemotes(ctx context.Context, o *order, reply *api.PurgeReply) error {
	named, err := exchange.Named(ctx, e.exchange)
	if err != nil || len(named.Remotes) == 0 {
		return err
	}
	for _, r := range named.Remotes {
		within, cancel := context.WithTimeout(ctx, remoteWait)
		// both ways: a remote learns of this machine too that it erased the words; the status says what came of it
		_, _ = e.exchange.Sync(within, api.SyncRequest{Remote: r.Name})
		cancel()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	var items []*store.Item
	if len(o.Refs) > 0 {
		for page := range slices.Chunk(o.Refs[0], core.ExportPage) {
			some, err := e.First().Get(ctx, core.IDsOf(page)...)
			if err != nil {
				return core.Classify(err)
			}
			items = append(items, slices.DeleteFunc(some, func(it *store.Item) bool { return it == nil })...)
		}
	}
	if len(items) == 0 {
		return nil
	}
	return exchange.Purged(ctx, e.exchange, items, reply)
}

// acts returns the marks that purge what an order names.
func (e *Gone) acts(ctx context.Context, o *order) (out []string, err error) {
	own := make(map[memory.ID]bool)
	for _, refs := range o.Refs {
		for _, r := range refs {
			own[r.ID] = true
		}
	}
	for i, one := range e.stores() {
		if i >= len(o.Refs) || len(o.Refs[i]) == 0 {
			continue
		}
		edges, err := one.Edges(ctx, graph.Forward, core.IDsOf(o.Refs[i])...)
		if err != nil {
			return nil, core.Classify(err)
		}
		var ids []memory.ID
		seen := make(map[memory.ID]bool)
		for _, edge := range edges {
			if !seen[edge.From] {
				seen[edge.From] = true
				ids = append(ids, edge.From)
			}
		}
		items, err := one.Get(ctx, ids...)
		if err != nil {
			return nil, core.Classify(err)
		}
		for _, it := range items {
			if it == nil || it.Record == nil {
				continue
			}
			m, ok := it.Record.Body.(*memory.Mark)
			of := slices.ContainsFunc(memory.Subjects(it.Record.Body), func(r memory.Ref) bool { return !own[r.ID] })
			if ok && m.Verb == memory.Purge && !of { // not those of an earlier act, on some of it
				out = append(out, it.Ref.String())
			}
		}
	}
	return out, nil
}

// signed is the certificate of an act.
func (e *Gone) signed(
	ctx context.Context, o *order, out *api.PurgeOutcome, remotes []api.PurgeRemote, after *sifting,
) (string, error) {
	me, err := e.OwnKeys()
	if err != nil {
		return "", err
	}
	if me.Owner == nil {
		return "", &core.Failure{Kind: api.ErrForbidden, Text: "the key of a session does not speak for its owner"}
	}
	c := report.Certificate{
		V: 1, At: memory.At(e.C.Now()).String(), By: me.Owner.DID(), Store: o.Store, List: o.List, Erased: o.Kinds,
		Probes: report.CertificateProbes{
			Spans: len(o.Probes.Spans), Words: len(o.Probes.Words), Before: o.Before, Found: out.Found,
			Tables: len(after.tables), Files: len(after.files), Bytes: after.bytes,
		},
		Kept: make(map[string]int), Copies: o.Copies, Logs: []report.CertificateLog{},
		Remotes: []report.CertificateRemote{}, Unreached: []report.CertificatePlace{},
	}
	if c.ID, err = e.Nonce(); err != nil {
		return "", err
	}
	if c.Act, err = e.acts(ctx, o); err != nil {
		return "", err
	}
	if c.Logs, err = e.logs(ctx); err != nil {
		return "", err
	}
	for why, n := range o.Stays {
		c.Kept[why] = n
	}
	c.Kept["repeats"], c.Kept["unsure"] = o.Repeats, o.Unsure
	for _, r := range remotes {
		c.Remotes = append(c.Remotes, report.CertificateRemote{
			Name: r.Remote, State: r.State, Machines: r.Machines, Confirmed: r.Confirmed,
		})
	}
	for _, u := range out.Unreached {
		one := report.CertificatePlace{What: u.What, Where: u.Where, Count: u.Count}
		if filepath.IsAbs(u.Where) { // where files lie is left out
			one.Where = filepath.Base(u.Where)
		}
		c.Unreached = append(c.Unreached, one)
	}
	payload, err := canon.Marshal(c)
	if err != nil {
		return "", err
	}
	kind := keys.PayloadType(audit.CertificateKind, 1)
	sig, err := me.Owner.Sign(kind, payload)
	if err != nil {
		return "", core.ClassifyKey(err)
	}
	text, err := json.Marshal(envelope.Envelope{
		Payload: payload, PayloadType: kind, Signatures: []envelope.Signature{{KeyID: c.By, Sig: sig}},
	})
	return string(text) + "\n", err
}

// logs are those of the first store, by length and root: their names may say whose they are.
func (e *Gone) logs(ctx context.Context) ([]report.CertificateLog, error) {
	spaces, err := e.First().Spaces(ctx)
	if err != nil {
		return nil, core.Classify(err)
	}
	out := []report.CertificateLog{}
	for _, s := range spaces {
		f, err := e.First().Tree(ctx, s.Name)
		if err != nil {
			return nil, core.Classify(err)
		}
		out = append(out, report.CertificateLog{Size: f.Size(), Root: ledger.EncodeHash(f.Root())})
	}
	return out, nil
}
