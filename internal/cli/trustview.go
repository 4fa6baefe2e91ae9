package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/keys"
)

// signed writes a term of the sum.
func signed(f float64) string {
	if f == 0 {
		return "0.0000"
	}
	return fmt.Sprintf("%+.4f", f)
}

func (a *app) showTrust(t api.TrustReply) error {
	w := a.env.Stdout
	kind, id, _ := strings.Cut(t.Ref, ":")
	fmt.Fprintf(w, "Trust in %s %s\n", a.ref(kind, id), cited(t.Headline))
	fmt.Fprintf(w, "  %s\n", a.trustWords(t))
	fmt.Fprintf(w, "  by %s, through %s\n", who(t.Name, or(t.Controller, t.Author)), t.Origin)
	if len(t.Flags) > 0 {
		fmt.Fprintf(w, "  flags: %s\n", strings.Join(t.Flags, ", "))
	}
	fmt.Fprintln(w)
	a.showTerms(t, true)
	a.showWitnesses(t.Witnesses)
	a.showAnchors(t.Anchors)
	if l := t.Limit; l != nil {
		fmt.Fprintf(w, "\nDepends on the external %s, %s (%s, %s)\n", shortRef(l.Ref), cited(l.Headline),
			points(l.Score), l.Level)
	}
	a.showUpstream(t.Upstream)
	fmt.Fprintf(w, "\nThe author's record: %s confirmed, %d refuted, worth %s\n",
		count(t.AuthorReputation.Upheld, "memory", "memories"), t.AuthorReputation.Refuted, points(t.AuthorReputation.Value))
	if t.Voices.Dispute > 0 {
		fmt.Fprintf(w, "Opinion: belief %.2f, disbelief %.2f, uncertainty %.2f\n", t.Opinion.Belief, t.Opinion.Disbelief,
			t.Opinion.Uncertainty)
	}
	fmt.Fprintf(w, "As seen by %s, with the policy %s\n", who("", or(t.SeenBy, "a reader without keys")),
		t.Policy)
	return nil
}

// trustWords says a score, its level, and whether one may act on it.
func (a *app) trustWords(t api.TrustReply) string {
	s := points(t.Score) + " " + a.paint(levelColor[t.Level], t.Level)
	if t.LevelByRange != t.Level {
		s += " [by the score alone: " + t.LevelByRange + "]"
	}
	return s + ", " + actionable(t.Actionable, inVerbs(t.NotActionable))
}

// actionable says whether an agent may act on a memory.
func actionable(may bool, why string) string {
	if may {
		return "actionable"
	}
	return "not actionable: " + why
}

// showTerms prints the sum; all of its lines, or those that are worth something.
func (a *app) showTerms(t api.TrustReply, all bool) {
	w := a.env.Stdout
	for _, x := range t.Terms {
		if all || x.Points != 0 || x.Name == "limit" {
			fmt.Fprintf(w, "  %7s  %-10s  %s\n", signed(x.Points), x.Name, whole(x.Why))
		}
	}
	note := ""
	if t.Raw != t.Score {
		note = " (the sum is " + points(t.Raw) + ")"
	}
	fmt.Fprintf(w, "  %7.4f  score%s\n", t.Score, note)
}

func (a *app) showWitnesses(list []api.TrustWitness) {
	w := a.env.Stdout
	if len(list) > 0 {
		fmt.Fprintf(w, "\n%s (%d)\n", a.paint(bold, "Witnesses"), len(list))
	}
	for _, x := range list {
		fmt.Fprintf(w, "  %s\n", a.witnessLine(x))
		if x.Notes != "" {
			fmt.Fprintf(w, "    %s\n", cited(x.Notes))
		}
	}
}

// witnessLine says who said what, and whether it counts.
func (a *app) witnessLine(x api.TrustWitness) string {
	status := a.paint(green, "counts")
	if !x.Counts {
		status = "does not count: " + whole(or(x.Why, "unknown"))
	}
	if x.Resolved != "" {
		status = "resolved: " + x.Resolved + ", " + status
	}
	return fmt.Sprintf("%-8s %s, %s (%s), %s", line(x.Attestation, 20), who(x.Name, x.Controller), day(x.At),
		shortRef(x.Ref), status)
}

func (a *app) showAnchors(list []api.TrustAnchor) {
	w := a.env.Stdout
	if len(list) > 0 {
		fmt.Fprintf(w, "\n%s (%d)\n", a.paint(bold, "Anchors"), len(list))
	}
	for _, x := range list {
		status := a.paint(green, "counts")
		if !x.Counts {
			status = "does not count: " + whole(inVerbs(or(x.Why, x.Status)))
		}
		fmt.Fprintf(w, "  %s %s, %s (%s), %s\n", line(x.Type, 20), whole(x.Reference), x.Status,
			shortRef(x.Ref), status)
	}
}

// showUpstream prints the problems of a memory's sources.
func (a *app) showUpstream(list []api.TrustUpstream) {
	for _, up := range list {
		fmt.Fprintf(a.env.Stdout, "Depends on %s, which is %s: %s\n", shortRef(up.Ref), up.Why,
			cited(or(up.Text, up.Headline)))
	}
}

// who returns a principal's name as introduced, with the fingerprint that people compare.
func who(name, did string) string {
	print := line(did, 80)
	if f, err := keys.Fingerprint(did); err == nil {
		print = f
	}
	if name == "" {
		return print
	}
	return whole(name) + " (" + glance(print) + ")"
}

// glance cuts a fingerprint behind a name to what one can see at a glance.
func glance(print string) string {
	const most = len("SHA256:") + 8
	if len(print) > most {
		return print[:most] + "…"
	}
	return print
}

// points writes an amount of trust in full, with at least two decimals.
func points(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	whole, parts, _ := strings.Cut(s, ".")
	return whole + "." + parts + strings.Repeat("0", max(0, 2-len(parts)))
}
