package cli

import (
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

// showGone prints what is left of a purged record: the records that cite it, and the reason.
func (a *app) showGone(m api.ShowReply) error {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s\n", a.ref(m.Type, m.ID), m.Headline)
	if len(m.DerivedInto) > 0 {
		fmt.Fprintf(w, "Derived into: %s\n", shortRefs(m.DerivedInto))
	}
	for _, c := range m.Claims {
		why, _ := c.Content["reason"].(string)
		fmt.Fprintf(w, "Claim: %s (%s, %s) %s\n", whole(c.Headline), shortRef(c.Ref), day(c.At),
			whole(why))
	}
	return nil
}

// codeAndTier prints the state of the code that a memory names, and which conditions of
// the tiers it meets.
func (a *app) codeAndTier(m api.ShowReply) {
	w := a.env.Stdout
	for i, f := range m.Code {
		if i == 0 {
			fmt.Fprintln(w, "Code:")
		}
		fmt.Fprintf(w, "  %s %s\n", a.paint(stateColor[f.State], fmt.Sprintf("%-12s", f.State)),
			whole(or(f.Reason, f.Ref)))
	}
	for i, c := range m.Conditions {
		if i == 0 {
			fmt.Fprintf(w, "Why %s:\n", or(m.Tier, "no tier"))
		}
		mark := a.paint(dim, "-")
		if c.Met {
			mark = a.paint(green, "+")
		}
		fmt.Fprintf(w, "  %s %-14s %s\n", mark, c.Name, whole(inVerbs(c.Says)))
	}
}

// head prints what a memory says.
func (a *app) head(m api.ShowReply) {
	w := a.env.Stdout
	fmt.Fprintf(w, "%s %s\n", a.paint(bold, title(m.Type)+":"), a.ofMemoryAlone(m.Memory))
	fmt.Fprintf(w, "Confidence: %s", decimal(m.Confidence))
	if m.Confidence != m.ConfidenceAsserted {
		fmt.Fprintf(w, " (asserted %s)", decimal(m.ConfidenceAsserted))
	}
	fmt.Fprintln(w)
	a.contents(m)
	for _, f := range []struct{ name, text string }{
		{"Tier", m.Tier}, {"Last verified", verifiedWords(m.Memory)}, {"Review", m.Review}, {"Hidden", m.Hidden},
		{"Marks", strings.Join(marked(m.Marks, m.Hidden), "; ")},
		{"Superseded by", shortRef(m.SupersededBy)},
		{"Supersedes", shortRefs(m.Supersedes)}, {"Made there", m.SourceCreatedAt}, {"Changed there", m.SourceUpdatedAt},
		{"Holds from", m.ValidFrom}, {"Holds until", m.ValidUntil},
		{"Now", marks(m.Memory)},
	} {
		if f.text != "" {
			fmt.Fprintf(w, "%s: %s\n", f.name, f.text)
		}
	}
	a.fields(m, "session", "tags", "about", "alias")
}

// verifiedWords says when a memory last held, and how often that was said.
func verifiedWords(m api.Memory) string {
	if m.LastVerified == "" {
		return ""
	}
	return day(m.LastVerified) + ", verified " + count(m.VerificationCount, "time", "times")
}

// contents prints the members of a body that the headline does not show.
func (a *app) contents(m api.ShowReply) {
	names := make([]string, 0, len(m.Content))
	for name, v := range m.Content {
		if name == "intensity" && m.Intensity != nil {
			continue // that of now stands below
		}
		if s, ok := v.(string); !ok || s != m.Headline {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		label := title(strings.ReplaceAll(name, "_", " "))
		switch v := m.Content[name].(type) {
		case []any:
			fmt.Fprintf(a.env.Stdout, "%s:\n", label)
			for _, x := range v {
				fmt.Fprintf(a.env.Stdout, "  - %s\n", clean(fmt.Sprint(x)))
			}
		case map[string]any:
			fmt.Fprintf(a.env.Stdout, "%s: %s\n", label, clean(pairs(v)))
		default:
			text := clean(fmt.Sprint(v))
			if strings.Contains(text, "\n") {
				text = "\n" + indent(text)
			}
			fmt.Fprintf(a.env.Stdout, "%s: %s\n", label, text)
		}
	}
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n  ")
}

func pairs(m map[string]any) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %v", name, m[name])
	}
	return strings.Join(names, ", ")
}

// fields prints members of the header that are set.
func (a *app) fields(m api.ShowReply, names ...string) {
	for _, name := range names {
		text := map[string]string{
			"session": m.Session, "tags": strings.Join(m.Tags, ", "), "about": strings.Join(m.About, ", "),
			"alias": strings.Join(m.Alias, ", "), "hidden": m.Hidden,
		}[name]
		if text != "" {
			fmt.Fprintf(a.env.Stdout, "%s: %s\n", title(name), whole(text))
		}
	}
}

// channel says through which channel a record came, and as whose.
func (a *app) channel(m api.ShowReply) string {
	s := ", by " + m.Origin
	if src, ok := m.Content["source"].(string); ok && src != m.Origin {
		s += " through " + src
	}
	if m.Agent != "" {
		s += " (" + a.about(m.Agent, 40) + ")"
	}
	return s
}

// showTraced is the memory with its provenance, as "show --trace" prints it.
func (a *app) showTraced(cmd *cobra.Command, m api.ShowReply, depth int) error {
	a.head(m)
	t, err := call(cmd.Context(), a, (*engine.Engine).Trace,
		api.TraceRequest{Ref: m.Ref, Direction: "backward", Depth: &depth})
	if err != nil {
		return err
	}
	p, err := call(cmd.Context(), a, (*engine.Engine).Provenance, api.RefRequest{Ref: m.Ref})
	if err != nil {
		return err
	}
	w := a.env.Stdout
	fmt.Fprintf(w, "\n📍 Provenance:\n  Source: %s (%s)%s\n", m.SourceType, a.saidOn(&m.Memory), a.channel(m))
	if len(t.Backward.Sources) > 0 {
		fmt.Fprintln(w, "  Derived from:")
		a.branches(t.Backward.Sources, "    ", plainWords)
	}
	if t.Deeper {
		a.hint("… there are more levels; --depth 0 shows all")
	}
	fmt.Fprintln(w, "\n  Confidence history:")
	for _, h := range p.ConfidenceHistory {
		fmt.Fprintf(w, "    %s: %s (%s)\n", day(h.At), decimal(h.After), whole(h.Why))
	}
	return nil
}

// showTrustLine prints a memory's trust in one line, and the problems of its sources.
func (a *app) showTrustLine(m api.ShowReply) {
	if m.Trust != nil {
		flags := ""
		if len(m.TrustFlags) > 0 {
			flags = " (" + strings.Join(m.TrustFlags, ", ") + ")"
		}
		fmt.Fprintf(a.env.Stdout, "Trust: %s %s%s, %s\n", points(*m.Trust), a.paint(levelColor[m.Level], m.Level), flags,
			actionable(m.Actionable, inVerbs(m.NotActionable)))
	}
	a.showUpstream(m.Upstream)
}

func title(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
