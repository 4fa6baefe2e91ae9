package attest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/plain"
)

// Bounds on a comment: a host takes 65,536 characters.
const (
	mostComment  = 60_000
	mostRows     = 50
	mostSessions = 20
	mostOfEach   = 20
	mostColumns  = 160
	shortHash    = 12
)

// CommentMark begins a comment, so that the next one can take its place.
const CommentMark = "<!-- stemma attestation -->"

// A signature is what is known of who signed.
type signature struct {
	signed, checked bool
	name, why       string
}

// A page is lines of Markdown. Each stands by itself: it may be cut behind any.
type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// code is a stranger's text, on one line and harmless: in a span of code nothing is markup, mention or link.
func code(s string) string {
	s = strings.TrimSpace(plain.Line(s, mostColumns))
	if s == "" {
		return "(none)"
	}
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// comment is an attestation in short, as Markdown. Texts of others stand in it as code.
func comment(p *report.AttestedChange, by signature) string {
	out := &page{}
	out.line("%s\n### What the agents of this change had been given\n", CommentMark)
	out.line("%s\n", signedLine(p, by))
	whole := core.Plural(p.NotSeen, "line") + " not seen by stemma: a person's, or another program's"
	out.line("%s in %s: %d by %s of agents, %s.\n", core.Plural(p.Lines, "line"), core.Plural(len(p.Commits), "commit"),
		p.Seen, core.Plural(len(p.Sessions), "session"), whole)
	out.commits(p)
	byRef := make(map[string]*report.AttestedMemory, len(p.Memories))
	for i := range p.Memories {
		byRef[p.Memories[i].Ref] = &p.Memories[i]
	}
	others := notedBy(p)
	for i := range p.Sessions[:min(len(p.Sessions), mostSessions)] {
		out.session(&p.Sessions[i], byRef, p.Owner)
		for _, key := range others[i] {
			out.line("- that it wrote lines is signed by another person: %s", code(key))
		}
		out.line("")
	}
	out.more(len(p.Sessions)-mostSessions, "session")
	out.touched(p)
	for _, text := range p.NotKnown[:min(len(p.NotKnown), mostOfEach)] {
		out.line("- Not known: %s", code(text))
	}
	return bounded(out.String())
}

// bounded cuts a text behind a line.
func bounded(text string) string {
	if len(text) <= mostComment {
		return text
	}
	return text[:strings.LastIndexByte(text[:mostComment], '\n')+1] + "\n… the rest is in the attestation.\n"
}

func signedLine(p *report.AttestedChange, by signature) string {
	print, err := keys.Fingerprint(p.By)
	switch {
	case !by.signed:
		return "**Not signed.** Anybody could have written this."
	case err != nil:
		return "**The key that signed is none.**"
	case by.checked && by.name != "" && by.name != "you":
		return "Signed by " + code(by.name) + ", " + code(print) + ". The signature holds."
	case by.checked:
		return "Signed by " + code(print) + ". The signature holds."
	case by.why != "":
		return "**Not checked in full:** " + code(by.why) + ". Signed by " + code(print) + "."
	}
	return "Signed by " + code(print) + "."
}

// commits lists them.
func (out *page) commits(p *report.AttestedChange) {
	out.line("| commit | lines | by agents | not seen |\n|---|---|---|---|")
	for _, c := range p.Commits[:min(len(p.Commits), mostRows)] {
		name := code(c.Commit[:min(len(c.Commit), shortHash)])
		if c.Merge {
			name += " (merge)"
		}
		out.line("| %s | %d | %d | %d |", name, c.Lines, c.Seen, c.Lines-c.Seen)
	}
	out.line("")
	out.more(len(p.Commits)-mostRows, "commit")
}

func (out *page) more(n int, of string) {
	if n > 0 {
		out.line("… %s more.\n", core.Plural(n, of))
	}
}

// session says what one was given and what not.
func (out *page) session(s *report.AttestedSession, byRef map[string]*report.AttestedMemory, owner string) {
	out.line("**Session %s %s**: %s, %s given.\n", code(s.Host), code(s.Session), core.Plural(s.Lines, "line"),
		memoriesOf(len(s.Given)))
	sorted := slices.Clone(s.Given)
	slices.SortStableFunc(sorted, func(a, b report.AttestedGiven) int {
		return weight(byRef[b.Ref]) - weight(byRef[a.Ref])
	})
	for _, g := range sorted[:min(len(sorted), mostOfEach)] {
		out.line("- %s", givenLine(g, byRef[g.Ref], owner))
	}
	if n := len(sorted) - mostOfEach; n > 0 {
		out.line("- … %d more", n)
	}
	for i, h := range s.Withheld {
		if i == mostOfEach {
			out.line("- … %d more withheld", len(s.Withheld)-i)
			break
		}
		what := core.Plural(h.Count, "entry")
		if h.Count > 1 {
			what = fmt.Sprintf("%d entries", h.Count)
		}
		if h.Ref != "" {
			what = code(shortRef(h.Ref))
		}
		out.line("- withheld: %s, %s", what, code(h.Reason))
	}
	if s.Unknown != "" {
		out.line("- not known what was withheld: %s", code(s.Unknown))
	}
}

// notedBy are the other people by whose word sessions wrote lines.
func notedBy(p *report.AttestedChange) map[int][]string {
	out := make(map[int][]string)
	for _, c := range p.Commits {
		for _, f := range c.Files {
			for _, l := range f.By {
				if l.NotedBy != "" && !slices.Contains(out[l.Session], l.NotedBy) {
					out[l.Session] = append(out[l.Session], l.NotedBy)
				}
			}
		}
	}
	return out
}

func memoriesOf(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}

// weight puts first what a reviewer must know.
func weight(m *report.AttestedMemory) int {
	switch {
	case m == nil:
		return 0
	case m.Outside, m.Disputed, m.Hidden != "", m.Missing != "":
		return 2
	case len(m.Decisions) > 0:
		return 1
	}
	return 0
}

// givenLine says of a memory how it stood when it was given, how it stands, and who decided it.
func givenLine(g report.AttestedGiven, m *report.AttestedMemory, owner string) string {
	parts := []string{code(shortRef(g.Ref))}
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+code(value))
		}
	}
	if m == nil {
		return parts[0]
	}
	if m.Missing != "" {
		add("now ", m.Missing)
		return strings.Join(parts, ", ")
	}
	if g.Receipt == "" {
		parts = append(parts, "given, not known when")
	}
	add("", core.Or(g.Review, m.Review))
	add("", core.Or(g.Tier, m.Tier))
	add("trust ", core.Or(g.Level, m.Level))
	add("from ", m.Origin)
	add("said by ", m.Speaker)
	if g.Outside || m.Outside {
		parts = append(parts, "**outside words, not confirmed**")
	}
	if m.Disputed {
		parts = append(parts, "**disputed**")
	}
	if m.Hidden != "" {
		parts = append(parts, "**now** "+code(m.Hidden))
	}
	for _, d := range m.Decisions {
		if !d.Counts || d.TakenBack {
			continue
		}
		const day = 10
		who := code(core.Or(d.By, d.Key))
		if d.Key == owner {
			who = "the signer"
		}
		parts = append(parts, fmt.Sprintf("%s by %s on %s", code(d.Act), who, code(d.At[:min(len(d.At), day)])))
		add("because ", d.Why)
		break
	}
	if m.Words != "" {
		parts = append(parts, code(m.Words))
	}
	return strings.Join(parts, ", ")
}

// touched lists memories whose code the change touches, those that need a look first.
func (out *page) touched(p *report.AttestedChange) {
	if len(p.Code) == 0 {
		return
	}
	out.line("**Memories whose code this change touches**\n")
	for i, m := range p.Code {
		if i == mostOfEach {
			out.line("- … %d more", len(p.Code)-i)
			break
		}
		files := make([]string, 0, len(m.Files))
		for _, f := range m.Files[:min(len(m.Files), 3)] {
			files = append(files, code(f))
		}
		text := fmt.Sprintf("- %s %s: %s", code(m.State), code(shortRef(m.Ref)), strings.Join(files, ", "))
		if m.Words != "" {
			text += " " + code(m.Words)
		}
		out.line("%s", text)
	}
	out.line("")
}

// shortRef is a ref with the first digits of its ID.
func shortRef(ref string) string {
	kind, id, is := strings.Cut(ref, ":")
	const enough = 8
	if is && len(id) > enough {
		return kind + ":" + id[:enough]
	}
	return ref
}
