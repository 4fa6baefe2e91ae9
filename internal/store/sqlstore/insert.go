package sqlstore

import (
	"bytes"
	"errors"

	"github.com/stemma-memory/stemma/internal/graph"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/lists"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// The heads of the statements that add rows.
const (
	insertRecords    = "INSERT INTO records (key, id, kind, author, at, session, more, came, sum) VALUES "
	insertPayloads   = "INSERT INTO payloads (key, bytes, sig) VALUES "
	insertSignatures = "INSERT INTO signatures (key, ord, author, sig) VALUES "
	insertKeyBytes   = "INSERT INTO payloads (key, bytes, sig, keyed) VALUES "
	insertKeySigs    = "INSERT INTO signatures (key, ord, author, sig, keyed) VALUES "
	insertEdges      = "INSERT INTO edges (src, ord, rel, dst) VALUES "
	insertDangling   = "INSERT INTO dangling (src, ord, rel, dst) VALUES "
	insertAliases    = "INSERT INTO aliases (space, alias, key) VALUES "
	insertStates     = "INSERT INTO state (key, flags, due, fold) VALUES "
	replaceState     = " ON CONFLICT (key) DO UPDATE SET flags = excluded.flags, due = excluded.due, fold = excluded.fold"
)

// piles are the rows of one Append.
type piles struct {
	records, payloads, signatures, edges, dangling, aliases session.Pile
	// of key records, where the database tells them apart
	keyBytes, keySigs session.Pile
}

func newPiles(d *session.Dialect) *piles {
	return &piles{
		records: session.Pile{
			Into: insertRecords, Row: "(?,?,?,?,?,?,?,?,?)",
			Types: "bigint bytea bigint bigint bigint bigint bigint bigint bigint",
		},
		payloads:   session.Pile{Into: insertPayloads, Row: "(?,?,?)", Types: "bigint bytea bytea"},
		signatures: session.Pile{Into: insertSignatures, Row: "(?,?,?,?)", Types: "bigint bigint bigint bytea"},
		edges:      session.Pile{Into: insertEdges, Row: "(?,?,?,?)", Types: "bigint bigint bigint bigint"},
		dangling:   session.Pile{Into: insertDangling, Row: "(?,?,?,?)", Types: "bigint bigint bigint bytea"},
		aliases:    session.Pile{Into: insertAliases, Row: "(?,?,?)", Types: "bigint bytea bigint"},
		keyBytes:   session.Pile{Into: insertKeyBytes, Row: "(?,?,?,true)"},
		keySigs:    session.Pile{Into: insertKeySigs, Row: "(?,?,?,?,true)"},
	}
}

// insert writes all rows of the new records.
func (a *appending) insert() error {
	p := newPiles(a.on.Dialect)
	for _, r := range a.fresh {
		if err := a.record(p, r); err != nil {
			return err
		}
	}
	if err := a.flush(&p.records, &p.payloads, &p.signatures, &p.aliases, &p.keyBytes, &p.keySigs); err != nil {
		return err
	}
	for _, r := range a.fresh { // who is suspect depends on the logs, these among them
		if err := a.arrows(p, r); err != nil {
			return err
		}
	}
	return a.flush(&p.edges, &p.dangling)
}

func (a *appending) flush(piles ...*session.Pile) error {
	for _, one := range piles {
		if err := one.Flush(a.ctx, a.on); err != nil {
			return err
		}
	}
	return nil
}

// record piles up the row of the log, the bytes, the signatures and aliases.
func (a *appending) record(p *piles, r *memory.Record) error {
	h, key := &r.Header, a.keys[r.ID]
	kind, err := a.s.names.Intern(a.ctx, a.on, lists.Kinds, string(h.Kind))
	if err != nil {
		return err
	}
	author, err := a.s.names.Intern(a.ctx, a.on, lists.Authors, h.Author)
	if err != nil {
		return err
	}
	var own []byte
	others := r.Sigs
	if len(others) > 0 && others[0].Key == h.Author {
		own, others = others[0].Sig, others[1:]
	}
	payloads, signatures := &p.payloads, &p.signatures
	if h.Kind == memory.KindKey && a.on.Dialect == session.Postgres { // policies ask
		payloads, signatures = &p.keyBytes, &p.keySigs
	}
	for i, sig := range others {
		by, err := a.s.names.Intern(a.ctx, a.on, lists.Authors, sig.Key)
		if err != nil {
			return err
		}
		signatures.Add(key, i, by, sig.Sig)
	}
	var at int64
	if !h.At.IsZero() {
		at = h.At.Time().UnixMilli()
	}
	came := a.came[r.ID]
	p.records.Add(key, r.ID[:], kind, author, at, sessionKey(h.Session), len(others), came, sums.Came(key, came))
	payloads.Add(key, r.Bytes, own)
	for _, alias := range h.Alias {
		p.aliases.Add(key>>session.SeqBits, digest(alias), key)
	}
	return nil
}

// arrows collects the edges of r, and notes their targets.
func (a *appending) arrows(p *piles, r *memory.Record) error {
	edges := graph.Edges(r)
	for i, e := range edges {
		dst := a.keys[e.To]
		if dst == 0 {
			p.dangling.Add(a.keys[r.ID], i, int(e.Rel), bytes.Clone(e.To[:]))
			continue
		}
		kind, err := a.kindOf(e.To)
		if err != nil {
			return err
		}
		if !store.Draws(r, e, kind) {
			continue
		}
		p.edges.Add(a.keys[r.ID], i, int(e.Rel), dst)
		if a.alone[e.To] {
			delete(a.alone, e.To)
			a.awaited[e.To] = !a.gone[e.To] // r comes before it
		}
	}
	a.gone[r.ID] = true
	_, key := r.Body.(*memory.Key)
	counted := len(a.ring.Awaited(r.Header.Space, int64(session.SeqOf(a.keys[r.ID])))) > 0
	if len(edges) > 0 || key || counted || a.awaited[r.ID] || store.Suspect(a.ring, r) {
		a.added = append(a.added, r)
	}
	return nil
}

// writeStates writes the states that differ from the stored ones.
func (a *appending) writeStates() error {
	rows := session.Pile{Into: insertStates, Row: "(?,?,?,?)", Types: "bigint bigint bigint text", Tail: replaceState}
	for _, id := range a.dirty {
		st := a.states[id]
		r, err := a.Record(id)
		if err != nil {
			return err
		}
		if r == nil {
			return errors.New("a state was put for a record that is not held")
		}
		row, needed, err := encodeState(r, st.state)
		switch {
		case err != nil:
			return err
		case needed:
			rows.Add(a.keys[id], row.flags, row.due, row.fold)
		case st.inRow:
			a.on.Cleared = true
			if err := a.on.Exec(a.ctx, "DELETE FROM state WHERE key = ?", a.keys[id]); err != nil {
				return err
			}
		}
	}
	for _, id := range a.dirty {
		a.states[id].unsent, a.states[id].inRow = false, true // or not: a DELETE finds nothing
	}
	a.dirty = nil
	return rows.Flush(a.ctx, a.on)
}
