package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) evidenceCmd() *cobra.Command {
	c := cmd("evidence REF", "Show the evidence behind a belief", `Examples:
  stemma evidence belief:a04e
  stemma evidence belief:a04e --json`)
	c.RunE = a.evidenceRun()
	return c
}

func (a *app) evidenceRun() func(*cobra.Command, []string) error {
	return verb(a, (*engine.Engine).Evidence, func(args []string) (api.RefRequest, error) {
		ref, err := oneRef(args)
		return api.RefRequest{Ref: ref}, err
	}, a.showEvidence)
}

func (a *app) showEvidence(r api.EvidenceReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "Evidence for %s %s (%s)%s\n", a.ref(r.Belief.Type, r.Belief.ID),
		cited(engine.NodeWords(r.Belief)),
		decimal(r.Belief.Confidence), nowAside(r.Belief.Course)+
			headAside(&api.Memory{Marks: r.Belief.Marks, Hidden: r.Belief.Hidden}))
	section := func(name string, n int) {
		if n > 0 {
			fmt.Fprintf(w, "\n%s (%d)\n", a.paint(bold, name), n)
		}
	}
	section("Episodes", len(r.Evidence.Episodes))
	for _, e := range r.Evidence.Episodes {
		fmt.Fprintf(w, "  %s [%s%s, %s] %s%s\n", a.ref("episode", e.ID), a.on(e.At), writtenBy(e.By), e.Outcome,
			cited(or(e.Text, e.Objective)), asideOf(e.Marks))
	}
	section("Notes", len(r.Evidence.Notes))
	for _, n := range r.Evidence.Notes {
		fmt.Fprintf(w, "  %s [%s%s, %s] %s%s\n", a.ref("note", n.ID), a.on(n.At), writtenBy(n.By), n.NoteType,
			cited(or(n.Text, n.Content)), asideOf(n.Marks))
	}
	section("Raw entries", len(r.Evidence.RawEntries))
	for _, e := range r.Evidence.RawEntries {
		if e.Purged {
			fmt.Fprintf(w, "  %s purged: its words were erased\n", a.ref("raw", e.ID))
			continue
		}
		fmt.Fprintf(w, "  %s [%s%s] %s%s\n", a.ref("raw", e.ID), a.at(or(e.At, or(e.OccurredAt, e.CapturedAt))),
			writtenBy(e.By), a.saidBy(e.Speaker, e.Blob), asideOf(e.Marks))
	}
	section("Said in", len(r.SaidIn))
	for _, n := range r.SaidIn {
		fmt.Fprintf(w, "  %s [%s%s] %s%s\n", a.ref("raw", n.ID), a.at(saidAt(n)), writtenBy(n.By),
			a.saidBy(n.Speaker, engine.NodeWords(n)), nodeAside(n))
	}
	fmt.Fprintf(w, "\nTotal evidence: %d (direct episodes %d, source raw entries %d)\n",
		r.TotalEvidenceCount, r.DirectEpisodes, r.SourceRawEntries)
	if len(r.NoLongerCounts) > 0 {
		section("No longer counts", len(r.NoLongerCounts))
		for _, f := range r.NoLongerCounts {
			fmt.Fprintf(w, "  %s %s [%s]\n", shortRef(f.Ref), cited(or(f.Text, f.Headline)), clean(f.Why))
		}
	}
	if len(r.Missing) > 0 {
		fmt.Fprintf(w, "Missing sources: %d\n", len(r.Missing))
	}
	return nil
}

func (a *app) provenanceCmd() *cobra.Command {
	c := cmd("provenance REF", "Show how a record was made", `Examples:
  stemma provenance belief:a04e`)
	c.RunE = verb(a, (*engine.Engine).Provenance, showRequest, a.showProvenance)
	return c
}

func (a *app) showProvenance(p api.ProvenanceReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "📍 Provenance of %s%s\n", shortRef(p.Ref), headAside(&api.Memory{Hidden: p.Hidden}))
	for _, f := range []struct{ name, text string }{
		{"Source", p.SourceType + " (" + minute(p.CreatedAt) + ")"}, {"By", p.Origin + " " + p.Author},
		{"Derived from", shortRefs(p.DerivedFrom)}, {"Derived into", shortRefs(p.DerivedInto)},
		{"Supersedes", shortRefs(p.Supersedes)}, {"Superseded by", shortRef(p.SupersededBy)},
		{"Session", p.Session}, {"Consolidation", p.ConsolidationID}, {"Made by", p.PromotionContext}, {"Run", p.Run},
	} {
		if f.text != "" {
			fmt.Fprintf(w, "  %s: %s\n", f.name, clean(f.text))
		}
	}
	fmt.Fprintln(w, "  Confidence history:")
	for _, h := range p.ConfidenceHistory {
		fmt.Fprintf(w, "    %s: %s (%s)\n", day(h.At), decimal(h.After), whole(h.Why))
	}
	return nil
}

// relatedShort says what each of the four verbs lists.
var relatedShort = map[string]string{
	"sources": "List the direct sources of a record", "derived": "List what was made directly from a record",
	"from-raw": "List every memory that traces back to a capture", "raw-sources": "List the captures behind a memory",
}

// relatedVerbs are the operations of the four verbs.
var relatedVerbs = map[string]method[api.RefRequest, api.RelatedReply]{
	"derived": (*engine.Engine).Derived, "sources": (*engine.Engine).Sources,
	"from-raw": (*engine.Engine).FromRaw, "raw-sources": (*engine.Engine).RawSources,
}

// relatedRun does one of the four verbs.
func (a *app) relatedRun(name string) func(*cobra.Command, []string) error {
	return verb(a, relatedVerbs[name], showRequest, a.showRelated)
}

// relatedCmd is one of the four verbs that list what hangs on a record.
func (a *app) relatedCmd(name, doc string) *cobra.Command {
	example := map[string]string{"derived": "episode:81c0", "sources": "belief:a04e", "from-raw": "raw:3f9a",
		"raw-sources": "belief:a04e"}[name]
	c := cmd(name+" REF", doc, "Examples:\n  stemma "+name+" "+example)
	c.RunE = a.relatedRun(name)
	return c
}

func (a *app) showRelated(r api.RelatedReply) error {
	if len(r.Related) == 0 {
		a.hint("nothing")
	}
	for _, m := range r.Related {
		how := m.Relationship
		if how == "" {
			how = "purged"
		}
		fmt.Fprintf(a.env.Stdout, "%s [%s, %s%s%s] %s%s\n", a.ref(m.Type, m.ID), how, a.on(or(m.At, m.CreatedAt)),
			writtenBy(m.By), comma(now(m.Course)), a.saidBy(m.Speaker, or(m.Text, m.Headline)), asideOf(m.Marks))
	}
	return nil
}

func (a *app) historyCmd() *cobra.Command {
	c := cmd("history REF", "List the revisions of a memory, oldest first", `Examples:
  stemma history belief:a04e`)
	c.RunE = verb(a, (*engine.Engine).History, showRequest, a.showHistory)
	return c
}

func (a *app) showHistory(h api.HistoryReply) error {
	for i, m := range h.Revisions {
		mark := "current"
		if m.Hidden != "" {
			mark = m.Hidden
		}
		mark += comma(now(m.Course))
		fmt.Fprintf(a.env.Stdout, "%d. %s [%s, %s] %s (%s)\n", i+1, a.ref(m.Type, m.ID), a.on(or(m.At, m.CreatedAt)), mark,
			a.ofMemory(m), decimal(m.Confidence))
	}
	if h.Forked {
		a.hint("there are concurrent revisions; the current one is later in causal order, then in time")
	}
	return nil
}

func (a *app) kindHistory(k memory.Kind) *cobra.Command {
	c := &cobra.Command{Use: "history ID", Short: "List its revisions"}
	c.RunE = verb(a, (*engine.Engine).History, func(args []string) (api.RefRequest, error) {
		ref, err := oneRef(args)
		return api.RefRequest{Ref: kindRef(k, ref)}, err
	}, a.showHistory)
	return c
}
