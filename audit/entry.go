package audit

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/quoting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// The statuses of an entry.
const (
	isProven   = "proven"   // the words are the record's, and all of its proof holds
	hasNoPlace = "no_place" // the words are the record's; nothing shows that it is in its log
	isUnproven = "unproven" // the pack says itself that it cannot prove it
	isChanged  = "changed"  // the words, the span or the decision are not those of the records
)

// entry holds an entry against its record.
func (p *packing) entry(in *givenEntry) {
	out := report.Entry{Ref: in.Ref, Status: isChanged}
	r, line := p.of(&out)
	missing := ""
	if in.Proof != nil {
		missing = in.Proof.Missing
	}
	switch {
	case r == nil && (in.Proof == nil || missing != ""):
		out.Status, out.Why = isUnproven, orWords(missing, "it carries no proof")
	case r == nil:
		out.Why = "its record is not among the proofs: the record was changed, or the proofs are another pack's"
	case line.Status != report.OK && line.Status != report.MissingParent:
		out.Why = "its record has the status " + string(line.Status)
		if line.Status.Unsure() {
			out.Status = isUnproven
		}
	default:
		p.holds(in, r, line, &out)
	}
	p.report.Entries = append(p.report.Entries, out)
}

func orWords(text, instead string) string {
	if text == "" {
		return instead
	}
	return text
}

// of finds the record of an entry, whose ref may be short.
func (p *packing) of(out *report.Entry) (*told, *report.Line) {
	if r := p.records[out.Ref]; r != nil {
		return r, p.lines[out.Ref]
	}
	const least = 8 // hex digits, as a model gets them
	kind, id, _ := strings.Cut(out.Ref, ":")
	if len(id) < least || kind == "" {
		return nil, nil
	}
	found := ""
	for ref := range p.records {
		if strings.HasPrefix(ref, out.Ref) {
			if found != "" {
				return nil, nil // of two
			}
			found = ref
		}
	}
	if found == "" {
		return nil, nil
	}
	out.Ref = found
	return p.records[found], p.lines[found]
}

// holds compares the words, the span, the decision and the place of an entry with the records.
func (p *packing) holds(in *givenEntry, r *told, line *report.Line, out *report.Entry) {
	out.At, out.Author, out.Owner, out.Agent = line.At, line.Author, line.Owner, line.Agent
	for _, ref := range r.Header.Provenance.From {
		out.Rests = append(out.Rests, ref.String())
	}
	words := quoting.Words(&r.Record)
	spans, same := quoting.Spans(words, in.Text)
	speaker := in.Speaker
	if in.ID == "" { // a turn, or as a model got it
		speaker = in.By
	}
	switch {
	case in.Proof == nil:
		out.Status, out.Why = isUnproven, "it carries no proof"
		return
	case !same && in.Proof.Missing != "":
		out.Status, out.Why = isUnproven, in.Proof.Missing
		return
	case !same:
		out.Why = "its words are not those of its record"
		return
	case in.Proof.Span != quoting.Written(spans):
		out.Why = "its span is not where its words stand"
		return
	case speaker != "" && !sameName(speaker, speakerOf(&r.Record)):
		out.Why = "its record names another speaker"
		return
	}
	out.Words, out.Span, out.Speaker = in.Text, in.Proof.Span, speakerOf(&r.Record)
	if why := p.decided(in, r, out); why != "" {
		out.Words, out.Why = "", why
		return
	}
	if out.Status = isProven; !p.placed[r.Header.Space] {
		out.Status, out.Why = hasNoPlace, "nothing shows that it is in the log of "+r.Header.Space
	} else {
		out.Place = p.a.held.fact(r.fact).seq
	}
	if !p.seen[out.Ref] {
		p.seen[out.Ref] = true
		from := quoting.Source{Ref: out.Ref, Words: words, Spans: spans}
		if d := out.Decided; d != nil && d.Act != memory.Approve {
			from.Denied = d.Act + ", of the memory"
		}
		p.sources = append(p.sources, from)
	}
}

// sameName reports whether a pack gives a name as it is, or as far as a line holds it.
func sameName(given, name string) bool {
	begin, cut := strings.CutSuffix(given, "…")
	return given == name || cut && strings.HasPrefix(name, begin) || strings.Contains(given, `\u{`)
}

// decided finds the decision that an entry names, and says what is wrong with it.
func (p *packing) decided(in *givenEntry, r *told, out *report.Entry) string {
	approved := in.Review == string(state.ReviewApproved) ||
		slices.Contains(strings.Split(in.Mark, "; "), string(state.ReviewApproved))
	if in.Proof.Decided == "" {
		if approved {
			return "it is given as approved, and nothing proves that"
		}
		return ""
	}
	d := p.records[in.Proof.Decided]
	if d == nil {
		return "the decision about it is not among the proofs"
	}
	line := p.lines[in.Proof.Decided]
	voice, _ := p.court.statusOf(d.fact)
	i := slices.IndexFunc(p.lines[out.Ref].Decisions, func(d report.Decided) bool { return d.Ref == in.Proof.Decided })
	switch {
	case line.Status != report.OK && line.Status != report.MissingParent:
		return "the decision about it has the status " + string(line.Status)
	case i < 0:
		return "the decision that it names is about another"
	case !voice.Owner || !state.May(voice, &r.Record, p.court.ring):
		return "the decision that it names is by one who may not decide about it"
	}
	decided := p.lines[out.Ref].Decisions[i]
	if out.Decided = &decided; approved && decided.Act != memory.Approve {
		return "it is given as approved, and the decision that it names says " + decided.Act
	}
	return ""
}
