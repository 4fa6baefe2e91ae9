package gone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Audit checks a certificate, and one of the person's own against the store that it is of.
func (e *Gone) Audit(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
	reply := api.AuditReply{Report: report.Report{
		Counts: make(map[report.Status]int), Offenders: []report.Finding{}, Logs: []report.LogFinding{},
		Roots: []report.Root{},
	}}
	if in.Ref != "" || in.Since || len(in.Checkpoints) > 0 {
		return reply, core.Invalid("certificate: give nothing but list with it")
	}
	out := &api.CertificateCheck{}
	reply.Certificate = out
	var err error
	asked := audit.CertificateOptions{List: in.List}
	if out.Certificate, err = audit.Certificate([]byte(in.Certificate), asked); err != nil {
		reply.Exit, out.Why = report.ExitFailed, core.OneLine(err)
		return reply, nil
	}
	who, err := e.trust.Reading(ctx).Voices()
	if err != nil {
		return reply, err
	}
	me, err := e.KnownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return reply, err
	}
	signer := who.Ring.Principal(out.By)
	if me == nil || signer != me.Principal {
		out.Signer = who.NameOf(signer)
		out.Checks = out.Signer != ""
		out.Why = "only the store that it is of can tell whether it is the last one"
		if !out.Checks {
			reply.Exit, out.Why = report.ExitUnchecked, "its key is not known here: compare it with one you know"
		}
		return reply, nil
	}
	out.Signer = "you"
	why, err := e.wrong(ctx, &out.Certificate, in.List)
	if err != nil {
		return reply, err
	}
	if out.Checks, out.Why = why == "", why; !out.Checks {
		reply.Exit, out.Why = report.ExitFailed, fmt.Sprintf("%v: %s", audit.ErrCertificate, why)
	}
	return reply, nil
}

// wrong says why a certificate by this person is not one of this store's last act, "" if it is.
func (e *Gone) wrong(ctx context.Context, c *report.Certificate, list string) (string, error) {
	if c.Store != e.nameOf(ctx) {
		return "it is of another store", nil
	}
	refs, why, err := e.erasedBy(ctx, c)
	if why != "" || err != nil {
		return why, err
	}
	kinds := make(map[string]int)
	for _, r := range refs {
		kinds[string(r.Kind)]++
	}
	if digest(refs) != c.List || !same(kinds, c.Erased) {
		return "it does not say what its act erased", nil
	}
	for page := range slices.Chunk(refs, core.ExportPage) {
		items, err := e.Store.Get(ctx, core.IDsOf(page)...)
		if err != nil {
			return "", core.Classify(err)
		}
		for _, it := range items {
			if it != nil && it.Record != nil {
				return "the words are here again: " + it.Ref.Short(), nil
			}
		}
	}
	return e.later(ctx, c, list)
}

func same(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k, n := range a {
		if b[k] != n {
			return false
		}
	}
	return true
}

// erasedBy reads what the act of a certificate erased.
func (e *Gone) erasedBy(ctx context.Context, c *report.Certificate) (refs []memory.Ref, why string, err error) {
	var ids []memory.ID
	for _, text := range c.Act {
		ref, err := memory.ParseRef(text)
		if err != nil {
			return nil, "it names no act", nil
		}
		ids = append(ids, ref.ID)
	}
	items, err := e.Store.Get(ctx, ids...)
	if err != nil {
		return nil, "", core.Classify(err)
	}
	seen := make(map[memory.ID]bool)
	for _, it := range items {
		if it == nil || it.Record == nil || it.Doubt == store.Forged {
			return nil, "this store does not have the act that it names", nil
		}
		m, ok := it.Record.Body.(*memory.Mark)
		if !ok || m.Verb != memory.Purge {
			return nil, "what it calls its act is none", nil
		}
		for _, r := range memory.Subjects(m) {
			if !seen[r.ID] {
				seen[r.ID] = true
				refs = append(refs, r)
			}
		}
	}
	return refs, "", nil
}

// later says whether the logs are those of a certificate and, where no list is asked for, whether the store erased
// more since.
func (e *Gone) later(ctx context.Context, c *report.Certificate, list string) (string, error) {
	spaces, err := e.First().Spaces(ctx)
	if err != nil {
		return "", core.Classify(err)
	}
	act := make(map[string]bool)
	for _, ref := range c.Act {
		act[ref] = true
	}
	left := slices.Clone(c.Logs)
	for _, s := range spaces {
		from := store.Seq(0) // a log that began later
		for i, l := range left {
			root, err := e.RootAt(ctx, s.Name, l.Size)
			if err == nil && int64(s.Last) >= l.Size && ledger.EncodeHash(root) == l.Root {
				from, left = store.Seq(l.Size), slices.Delete(left, i, i+1)
				break
			}
		}
		if list != "" {
			continue
		}
		why, err := e.purgedSince(ctx, s.Name, from, act)
		if why != "" || err != nil {
			return why, err
		}
	}
	if len(left) > 0 {
		return "the logs of this store are not those that it names", nil
	}
	return "", nil
}

// purgedSince looks for purges in a log behind a place.
func (e *Gone) purgedSince(ctx context.Context, space string, after store.Seq, act map[string]bool) (string, error) {
	for {
		page, err := e.First().Listed(ctx, space, after, core.ExportPage)
		if err != nil || len(page) == 0 {
			return "", core.Classify(err)
		}
		var ids []memory.ID
		for _, l := range page {
			if l.Ref.Kind == memory.KindMark && !act[l.Ref.String()] {
				ids = append(ids, l.Ref.ID)
			}
		}
		items, err := e.First().Get(ctx, ids...)
		if err != nil {
			return "", core.Classify(err)
		}
		for _, it := range items {
			if it == nil || it.Record == nil {
				continue
			}
			if m, ok := it.Record.Body.(*memory.Mark); ok && m.Verb == memory.Purge {
				return fmt.Sprintf("it is of an older act: this store erased more on %s (%s); to check this one, give its list",
					it.Record.Header.At.Time().Format(time.DateOnly), it.Ref.Short()), nil
			}
		}
		after = page[len(page)-1].Seq
	}
}
