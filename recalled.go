package stemma

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/stemma-memory/stemma/memory"
)

// What an agent was shown in a session stands behind what it writes there, though
// it names it as no source: words from outside must not lose their mark by being
// said again. mostRecalled bounds how much of it a record names; what is external
// comes first, without that bound.
const mostRecalled = 64

// recalled gives what the agent was shown in a session, without the records that
// it names as sources anyway.
func (e *Engine) recalled(ctx context.Context, session string, sources []memory.ID) ([]memory.ID, error) {
	if session == "" || e.c.Receipts == "" || e.c.Origin == memory.OriginOwner {
		return nil, nil
	}
	e.given.wait()
	name, err := json.Marshal(session)
	if err != nil {
		return nil, err
	}
	var ids []memory.ID
	for line, err := range e.given.file.All() {
		if err != nil {
			return nil, nil // what cannot be read holds nobody up; 'doctor' says so
		}
		if !bytes.Contains(line.JSON, name) {
			continue
		}
		var r Receipt
		if json.Unmarshal(line.JSON, &r) != nil || r.Session != session {
			continue
		}
		for _, one := range r.Results {
			var ref memory.Ref
			if ref.UnmarshalText([]byte(one.Ref)) == nil && !slices.Contains(ids, ref.ID) && !slices.Contains(sources, ref.ID) {
				ids = append(ids, ref.ID)
			}
		}
		if len(ids) >= memory.MaxSources {
			break
		}
	}
	return e.externalFirst(ctx, ids[:min(len(ids), memory.MaxSources)])
}

// externalFirst leaves out what is not held and, of what is not external, all but
// the newest.
func (e *Engine) externalFirst(ctx context.Context, ids []memory.ID) ([]memory.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	items, err := e.store.Get(ctx, ids...)
	if err != nil {
		return nil, sorted(err)
	}
	trusted, err := e.vouch(ctx, items, false)
	if err != nil {
		return nil, err
	}
	var external, rest []memory.ID
	for _, id := range ids {
		switch v := trusted[id]; {
		case v == nil: // not held, or purged
		case v.tainted:
			external = append(external, id)
		case len(rest) < mostRecalled:
			rest = append(rest, id)
		}
	}
	return append(external, rest...), nil
}
