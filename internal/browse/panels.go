package browse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/plain"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// evidence shows the episodes, notes and words that a memory rests on, however
// far back.
func evidence(ctx context.Context, ask Asker, ref string) (func(int) []row, error) {
	r, err := ask.Evidence(ctx, api.RefRequest{Ref: ref})
	if err != nil {
		return nil, err
	}
	return func(width int) []row {
		var out []row
		head := func(name string, n int) {
			out = append(out, plainRow(bold, fmt.Sprintf("%s (%d)", name, n)))
		}
		head("EPISODES", len(r.Evidence.Episodes))
		for _, e := range r.Evidence.Episodes {
			out = append(
				out,
				row{pieces: []piece{{green, or(e.Outcome, "unknown") + " "}, {"", oneLine(e.Objective)}}, ref: "episode:" + e.ID},
			)
			for _, lesson := range e.Lessons {
				out = append(out, row{pieces: []piece{{dim, "  learnt: "}, {"", oneLine(lesson)}}, below: true})
			}
		}
		head("NOTES", len(r.Evidence.Notes))
		for _, n := range r.Evidence.Notes {
			out = append(
				out,
				row{pieces: []piece{{cyan, oneLine(or(n.NoteType, "note")) + " "}, {"", oneLine(n.Content)}}, ref: "note:" + n.ID},
			)
		}
		head("WORDS", len(r.Evidence.RawEntries))
		for _, w := range r.Evidence.RawEntries {
			when := day(or(w.At, or(w.OccurredAt, w.CapturedAt)))
			if w.Purged {
				out = append(out, row{pieces: []piece{{red, "[purged] "}, {dim, when}}, ref: "raw:" + w.ID})
				continue
			}
			out = append(
				out,
				row{pieces: []piece{{yellow, when + " "}, {"", oneLine(said(w.Speaker, w.Blob))}}, ref: "raw:" + w.ID},
			)
		}
		for _, missing := range r.Missing {
			out = append(out, plainRow(red, "missing: "+shortRef(missing)+" is cited, but not held here"))
		}
		return out
	}, nil
}

// trust shows the terms of the score, the witnesses and the anchors.
func trust(ctx context.Context, ask Asker, ref string) (func(int) []row, error) {
	t, err := ask.Trust(ctx, api.RefRequest{Ref: ref})
	if err != nil {
		return nil, err
	}
	return func(width int) []row {
		out := []row{
			{
				pieces: []piece{
					{bold, fmt.Sprintf("%.4f ", t.Score)}, {levelStyle[t.Level], t.Level},
					{dim, ", by " + plain.Line(or(t.Name, shorten.To(t.Controller, 24)), 40)},
				},
			},
		}
		for _, x := range t.Terms {
			style := ""
			if x.Points == 0 {
				style = dim
			}
			out = append(
				out,
				row{
					pieces: []piece{
						{style, fmt.Sprintf("  %+.4f ", x.Points)},
						{style, fmt.Sprintf("%-12s", oneLine(x.Name))}, {dim, oneLine(x.Why)},
					},
				},
			)
		}
		if l := t.Limit; l != nil {
			out = append(
				out,
				row{pieces: []piece{{yellow, "  no more than its source from outside: "}, {"", oneLine(l.Headline)}}, ref: l.Ref},
			)
		}
		out = append(out, row{}, plainRow(bold, fmt.Sprintf("WITNESSES (%d)", len(t.Witnesses))))
		if len(t.Witnesses) == 0 {
			out = append(out, plainRow(dim, "no witnesses"))
		}
		for _, w := range t.Witnesses {
			out = append(out, witness(w)...)
		}
		out = append(out, row{}, plainRow(bold, fmt.Sprintf("ANCHORS (%d)", len(t.Anchors))))
		if len(t.Anchors) == 0 {
			out = append(out, plainRow(dim, "it is tied to nothing outside"))
		}
		for _, a := range t.Anchors {
			style := dim
			if a.Counts {
				style = green
			}
			out = append(
				out,
				row{
					pieces: []piece{
						{style, a.Status + " "}, {"", oneLine(a.Type + " " + a.Reference)},
						{dim, notCounted(a.Counts, a.Why)},
					},
					ref: a.Ref,
				},
			)
		}
		return out
	}, nil
}

func witness(w api.TrustWitness) []row {
	style := dim
	if w.Counts {
		style = map[string]string{"confirm": green, "dispute": red}[w.Attestation]
	}
	out := []row{{pieces: []piece{{style, w.Attestation}, {
		"", " by " + plain.Line(or(w.Name, shorten.To(w.Controller, 24)), 40),
	},
		{dim, ", " + day(w.At) + notCounted(w.Counts, w.Why)}}, ref: w.Ref}}
	if w.Notes != "" {
		out = append(out, row{pieces: []piece{{"", "  " + oneLine(w.Notes)}}, below: true})
	}
	return out
}

// notCounted says why a voice is worth nothing.
func notCounted(counts bool, why string) string {
	if counts {
		return ""
	}
	return " (does not count: " + oneLine(or(why, "unknown")) + ")"
}

// history shows the revisions of a memory, and what moved its confidence.
func history(ctx context.Context, ask Asker, ref string) (func(int) []row, error) {
	revisions, err := ask.History(ctx, api.RefRequest{Ref: ref})
	if err != nil {
		return nil, err
	}
	moved, err := ask.ConfidenceHistory(ctx, api.RefRequest{Ref: ref})
	if err != nil {
		return nil, err
	}
	return func(width int) []row {
		out := []row{plainRow(bold, fmt.Sprintf("REVISIONS (%d)", len(revisions.Revisions)))}
		if revisions.Forked {
			out = append(out, plainRow(yellow, "two rival revisions"))
		}
		for _, m := range revisions.Revisions {
			pieces := []piece{{dim, day(or(m.At, m.CreatedAt)) + " "}}
			if m.Ref == revisions.Ref {
				pieces = append(pieces, piece{green, "[this] "})
			}
			if m.Hidden != "" {
				pieces = append(pieces, piece{red, "[" + m.Hidden + "] "})
			}
			out = append(out, row{pieces: append(pieces, piece{"", oneLine(m.Headline)}), ref: m.Ref})
		}
		out = append(out, row{}, plainRow(bold, "CONFIDENCE"))
		for _, s := range moved.ConfidenceHistory {
			was := ""
			if s.Before != nil {
				was = fmt.Sprintf("%.2f → ", *s.Before)
			}
			out = append(
				out,
				row{
					pieces: []piece{
						{dim, day(s.At) + " "}, {"", was + fmt.Sprintf("%.2f ", s.After)},
						{dim, oneLine(s.Why) + ", by " + s.Origin},
					},
					ref: or(s.Claim, ""),
				},
			)
		}
		return out
	}, nil
}

// record shows everything that was signed, the code it names, and what was said
// of it.
func (p *page) record(width int) []row {
	m := &p.shown
	var out []row
	field := func(name, text string) {
		if text == "" {
			return
		}
		lines := plain.Lines(text, max(width-2, 8))
		if len(lines) == 1 && len(name)+2+len(text) <= width {
			out = append(out, row{pieces: []piece{{dim, name + ": "}, {"", lines[0]}}})
			return
		}
		out = append(out, plainRow(dim, name+":"))
		for _, l := range lines {
			out = append(out, plainRow("", "  "+l))
		}
	}
	field("ref", m.Ref)
	var names []string
	for name := range m.Content {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		field(strings.ReplaceAll(plain.Line(name, 40), "_", " "), member(m.Content[name]))
	}
	for _, f := range []struct{ name, text string }{
		{"space", m.Space}, {"session", m.Session}, {"tags", strings.Join(m.Tags, ", ")}, {
			"about", strings.Join(m.About, ", "),
		}, {"alias", strings.Join(m.Alias, ", ")},
		{"holds from", m.ValidFrom}, {"holds until", m.ValidUntil}, {
			"last verified", m.LastVerified,
		}, {"status", m.Status}, {"progress", m.Progress},
		{"author", m.Author}, {"created", m.CreatedAt},
	} {
		field(f.name, f.text)
	}
	if len(m.Code) > 0 {
		out = append(out, row{}, plainRow(bold, "CODE"))
	}
	for _, c := range m.Code {
		out = append(out, row{pieces: []piece{{stateStyle[c.State], fmt.Sprintf("%-13s", c.State)}, {"", oneLine(c.Ref)}}})
		if c.Reason != "" {
			out = append(out, plainRow(dim, "  "+oneLine(c.Reason)))
		}
	}
	if len(m.Conditions) > 0 {
		out = append(out, row{}, plainRow(bold, "WHY "+strings.ToUpper(or(m.Tier, "no tier"))))
	}
	for _, c := range m.Conditions {
		mark, style := "- ", dim
		if c.Met {
			mark, style = "+ ", green
		}
		out = append(out, row{pieces: []piece{{style, mark + fmt.Sprintf("%-15s", oneLine(c.Name))}, {"", oneLine(c.Says)}}})
	}
	out = append(out, row{}, plainRow(bold, fmt.Sprintf("SAID OF IT (%d)", len(m.Claims))))
	for _, c := range m.Claims {
		out = append(out, row{pieces: []piece{{dim, day(c.At) + " "}, {"", oneLine(c.Headline)}}, ref: c.Ref})
	}
	return out
}

// member writes a member of a body as people read it.
func member(v any) string {
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = "- " + member(x)
		}
		return strings.Join(parts, "\n")
	case map[string]any:
		var names []string
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			names[i] = name + " " + member(v[name])
		}
		return strings.Join(names, ", ")
	}
	return fmt.Sprint(v)
}
