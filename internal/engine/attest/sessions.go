package attest

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/blame"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/git"
	"github.com/stemma-memory/stemma/memory"
)

// edits is what was noted of a repository, asked once for the same paths.
func edits(e *Attest, rd *trust.Reading, r git.Repository) blame.Source {
	return views.Remembering(e.views.Edits(rd, r))
}

// writers are the sessions that wrote lines of a change.
type writers struct {
	all []writer
	at  map[string]int // their places, by host and session
}

type writer struct {
	host, session, last string
	lines               int
	signed              []string // records made at commits
}

// of is the place of the session that a note is of.
func (w *writers) of(n *blame.Note) int {
	key := n.Host + "\x00" + n.Session
	at, had := w.at[key]
	if !had {
		at = len(w.all)
		w.at[key], w.all = at, append(w.all, writer{host: n.Host, session: n.Session})
	}
	one := &w.all[at]
	one.last = max(one.last, n.At)
	if n.Ref != "" && !slices.Contains(one.signed, n.Ref) {
		one.signed = append(one.signed, n.Ref)
	}
	return at
}

// commit is what one commit brought in.
func (w *writers) commit(c *blame.Commit) report.AttestedCommit {
	out := report.AttestedCommit{
		Commit: c.ID, Merge: len(c.Parents) > 1, Files: []report.AttestedFile{}, MoreFiles: c.More,
	}
	for _, f := range c.Files {
		one := report.AttestedFile{Path: f.Path, Lines: f.Lines, Binary: f.Binary, Submodule: f.Submodule}
		for _, by := range f.Wrote {
			n := min(len(by.Lines), one.Lines-one.Seen)
			if n == 0 {
				continue
			}
			at := w.of(by.Note)
			w.all[at].lines += n
			one.Seen += n
			one.By = append(one.By, report.AttestedLines{
				Session: at, Agent: by.Agent, Lines: blame.Spans(by.Lines[:n]), Noted: by.Ref, NotedBy: by.Key,
			})
		}
		out.Lines, out.Seen = out.Lines+one.Lines, out.Seen+one.Seen
		out.Files = append(out.Files, one)
	}
	return out
}

// Why what was withheld is not known.
const (
	noReceipts   = "no answer of this machine is known; signed records of commits say only what was given"
	someReceipts = "some answers were noted before receipts said what was withheld"
)

// sessions says of each session what it was asked and given.
func (e *Attest) sessions(rd *trust.Reading, w *writers, p *report.AttestedChange) error {
	until := make(map[string]string)
	for _, one := range w.all {
		until[one.session] = max(until[one.session], one.last)
	}
	known := e.receipts.GivenTo(until)
	for _, one := range w.all {
		s := report.AttestedSession{
			Session: one.session, Host: one.host, Lines: one.lines, Last: one.last, Prompts: []report.AttestedPrompt{},
			Given: []report.AttestedGiven{}, Withheld: []report.AttestedHeld{}, Unknown: noReceipts,
		}
		prompts, more, err := e.views.PromptsOf(rd, one.host, one.session, one.last)
		if err != nil {
			return err
		}
		s.More = more
		for _, said := range prompts {
			one := report.AttestedPrompt{Ref: said.Ref, At: said.At}
			if p.Words {
				one.Words = open(said.Text)
			}
			s.Prompts = append(s.Prompts, one)
		}
		had := make(map[string]bool)
		if g := known[one.session]; g != nil {
			s.Unknown = ""
			if g.Unknown > 0 {
				s.Unknown = someReceipts
			}
			for _, x := range g.Given {
				if ref, err := memory.ParseRef(x.Ref); err == nil && ref.Kind.IsMemory() && !had[x.Ref] {
					had[x.Ref] = true
					s.Given = append(s.Given, given(x))
				}
			}
			for _, x := range g.Withheld {
				s.Withheld = append(s.Withheld, report.AttestedHeld(x))
			}
		}
		signed, err := e.views.SignedGiven(rd, one.signed)
		if err != nil {
			return err
		}
		items, err := rd.Get(signed...)
		if err != nil {
			return core.Classify(err)
		}
		for i, it := range items {
			ref := signed[i].String() // of one that is not held nothing else is known
			if it != nil {
				ref = it.Ref.String()
			}
			if !had[ref] && (it == nil || it.Ref.Kind.IsMemory()) {
				had[ref] = true
				s.Given = append(s.Given, report.AttestedGiven{Ref: ref})
			}
		}
		slices.SortStableFunc(s.Given, func(a, b report.AttestedGiven) int {
			return cmpTexts(a.At, b.At, a.Ref, b.Ref)
		})
		p.Sessions = append(p.Sessions, s)
	}
	return nil
}

func given(x receipts.GivenThen) report.AttestedGiven {
	return report.AttestedGiven{
		Ref: x.Ref, At: x.At, Receipt: x.Receipt, Tier: x.Tier, Review: x.Review, Level: x.Level, Outside: x.External,
	}
}

// cmpTexts compares pairs of texts, the first that differ.
func cmpTexts(pairs ...string) int {
	for i := 0; i+1 < len(pairs); i += 2 {
		if c := strings.Compare(pairs[i], pairs[i+1]); c != 0 {
			return c
		}
	}
	return 0
}

// code lists the memories that name code which a change touches.
func (e *Attest) code(rd *trust.Reading, change *blame.Range, p *report.AttestedChange) error {
	touched := make(map[string]bool)
	for _, c := range change.Commits {
		for _, f := range c.Files {
			touched[f.Path], touched[f.Was] = true, true
		}
		for _, path := range c.Gone {
			touched[path] = true
		}
	}
	checked, err := e.views.Check(rd, api.CheckRequest{All: true})
	if err != nil {
		return core.Classify(err)
	}
	for _, m := range checked.Memories {
		one := report.AttestedCode{Ref: m.Ref, State: m.State, Files: []string{}}
		for _, f := range m.Files {
			if touched[pathOf(f.Ref)] || touched[pathOf(f.Now)] {
				one.Files = append(one.Files, f.Ref)
			}
		}
		if len(one.Files) == 0 {
			continue
		}
		if p.Words {
			one.Words = open(core.Or(m.Text, m.Headline))
		}
		p.Code = append(p.Code, one)
	}
	return nil
}

// pathOf is the file of a code ref: path, path#symbol or path:10-20.
func pathOf(ref string) string {
	path, _, _ := strings.Cut(ref, "#")
	if at := strings.LastIndexByte(path, ':'); at > 0 && strings.Trim(path[at+1:], "0123456789-") == "" {
		path = path[:at]
	}
	return path
}
