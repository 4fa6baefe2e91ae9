package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
)

func (a *app) trustCmd() *cobra.Command {
	c := cmd("trust REF | introduce KEY | distrust KEY", "Show a memory's trust; introduce or distrust keys", `Examples:
  stemma trust belief:a04e
  stemma trust introduce ada.pub --name Ada
  stemma trust distrust Ada

A key that you have not introduced does not count, for or against. The score is a
sum of stored facts; stemma opens no connection for it`)
	c.RunE = verb(a, (*engine.Engine).Trust, showRequest, a.showTrust)
	c.AddCommand(a.introduceCmd(), a.distrustCmd())
	return c
}

// levelColor is the colour of each level of trust.
var levelColor = map[string]string{"rejected": red, "unverified": yellow, "attested": green, "anchored": green,
	"consensus": green}

func (a *app) showTrust(t api.TrustReply) error {
	w := a.env.Stdout
	kind, id, _ := strings.Cut(t.Ref, ":")
	fmt.Fprintf(w, "Trust in %s %s\n", a.ref(kind, id), quoted(t.Headline, a.width()-30))
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
		fmt.Fprintf(w, "\nDepends on the external %s, %s (%s, %s)\n", shortRef(l.Ref), quoted(l.Headline, a.width()-60),
			points(l.Score), l.Level)
	}
	a.showUpstream(t.Upstream)
	fmt.Fprintf(w, "\nThe author's record: %s confirmed, %d refuted, worth %s\n",
		count(t.Reputation.Upheld, "memory", "memories"), t.Reputation.Refuted, points(t.Reputation.Value))
	if t.Voices.Dispute > 0 {
		fmt.Fprintf(w, "Opinion: belief %.2f, disbelief %.2f, uncertainty %.2f\n", t.Opinion.Belief, t.Opinion.Disbelief,
			t.Opinion.Uncertainty)
	}
	fmt.Fprintf(w, "As seen by %s, with the policy %s\n", who("", or(t.SeenBy, "no key: there are no keys here")),
		t.Policy)
	return nil
}

// trustWords says a score, its level, and whether one may act on it.
func (a *app) trustWords(t api.TrustReply) string {
	s := points(t.Score) + " " + a.paint(levelColor[t.Level], t.Level)
	if t.LevelByRange != t.Level {
		s += " [by the score alone: " + t.LevelByRange + "]"
	}
	return s + ", " + actionable(t.Actionable, inVerbs(t.WhyNot))
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
			fmt.Fprintf(w, "  %7s  %-10s  %s\n", signed(x.Points), x.Name, line(x.Why, a.width()-24))
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
			fmt.Fprintf(w, "    %s\n", quoted(x.Notes, a.width()-6))
		}
	}
}

// witnessLine says who said what, and whether it counts.
func (a *app) witnessLine(x api.TrustWitness) string {
	stands := a.paint(green, "counts")
	if !x.Counts {
		stands = "does not count: " + line(or(x.Why, "unknown"), a.width()-60)
	}
	if x.Resolved != "" {
		stands = "resolved: " + x.Resolved + ", " + stands
	}
	return fmt.Sprintf("%-8s %s, %s (%s), %s", line(x.Attestation, 20), who(x.Name, x.Controller), day(x.At),
		shortRef(x.Ref), stands)
}

func (a *app) showAnchors(list []api.TrustAnchor) {
	w := a.env.Stdout
	if len(list) > 0 {
		fmt.Fprintf(w, "\n%s (%d)\n", a.paint(bold, "Anchors"), len(list))
	}
	for _, x := range list {
		stands := a.paint(green, "counts")
		if !x.Counts {
			stands = "does not count: " + line(inVerbs(or(x.Why, x.Status)), a.width()-60)
		}
		fmt.Fprintf(w, "  %s %s, %s (%s), %s\n", line(x.Type, 20), line(x.Reference, a.width()-60), x.Status,
			shortRef(x.Ref), stands)
	}
}

// showUpstream says what is wrong with what a memory rests on.
func (a *app) showUpstream(list []api.TrustUpstream) {
	for _, up := range list {
		fmt.Fprintf(a.env.Stdout, "Depends on %s, which is %s: %s\n", shortRef(up.Ref), up.Why,
			quoted(up.Headline, a.width()-60))
	}
}

// who names a principal as he was introduced, with the fingerprint that people
// compare.
func who(name, did string) string {
	print := line(did, 80)
	if f, err := keys.Fingerprint(did); err == nil {
		print = f
	}
	if name == "" {
		return print
	}
	return line(name, 40) + " (" + glance(print) + ")"
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

// signed writes a term of the sum.
func signed(f float64) string {
	if f == 0 {
		return "0.0000"
	}
	return fmt.Sprintf("%+.4f", f)
}

func (a *app) introduceCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "introduce KEY | FILE.pub", Short: "Introduce a person's key; their confirmations then count",
		Example: "  stemma trust introduce ada.pub --name Ada\n  stemma trust introduce did:key:z6Mk… --name Ada",
		Args:    cobra.MinimumNArgs(1),
	}
	var in api.IntroduceRequest
	c.Flags().StringVar(&in.Name, "name", "", "name of the key's owner (default: the name in the file)")
	c.RunE = verb(a, (*engine.Engine).Introduce, func(args []string) (api.IntroduceRequest, error) {
		var err error
		in.Key, err = publicKey(strings.Join(args, " "))
		return in, err
	}, func(r api.IntroduceReply) error {
		fmt.Fprintf(a.env.Stdout, "%s introduced\n", line(or(r.Name, "a key without a name"), 80))
		fmt.Fprintf(a.env.Stdout, "  %s\n", r.Fingerprint)
		a.hint("compare this fingerprint with theirs before you rely on it")
		return nil
	})
	return c
}

// mostPublic is more than a file with a public key holds, in bytes.
const mostPublic = 64 << 10

// publicKey reads a key as it was typed, or from the file that was named.
func publicKey(arg string) (string, error) {
	if strings.HasPrefix(arg, "did:") || strings.HasPrefix(arg, "ssh-") {
		return arg, nil
	}
	f, err := os.Open(arg)
	if err != nil {
		return "", ran{api.Invalid("key: not a did:key, not an OpenSSH public key, and not a readable file: %v", err)}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostPublic))
	if err != nil {
		return "", ran{api.Invalid("key: %v", err)}
	}
	return string(text), nil
}

func (a *app) distrustCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "distrust KEY | NAME", Short: "Remove an introduction; --since for a stolen key",
		Example: `  stemma trust distrust Ada
  stemma trust distrust Ada --since 36h --quarantine --dry-run
  stemma trust distrust did:key:z6Mk… --since 2026-03-01T00:00:00Z --quarantine --reason "laptop stolen"`,
		Args: cobra.MinimumNArgs(1),
	}
	var in api.DistrustRequest
	f := c.Flags()
	f.StringVar(&in.Since, "since", "", "distrust everything received since: a time, or an age")
	f.BoolVar(&in.Quarantine, "quarantine", false, "also hide it, and what depends only on it")
	f.StringVar(&in.Reason, "reason", "", "why")
	f.BoolVar(&in.DryRun, "dry-run", false, "show what would change, and change nothing")
	c.RunE = verb(a, (*engine.Engine).Distrust, func(args []string) (api.DistrustRequest, error) {
		in.Key = strings.Join(args, " ")
		if strings.HasSuffix(in.Key, ".pub") {
			var err error
			in.Key, err = publicKey(in.Key)
			return in, err
		}
		return in, nil
	}, func(r api.DistrustReply) error { return a.showDistrust(r, in.DryRun) })
	return c
}

func (a *app) showDistrust(r api.DistrustReply, dry bool) error {
	w, is := a.env.Stdout, "is"
	if dry {
		is = "would be"
	}
	fmt.Fprintf(w, "%s %s no longer trusted\n", who(r.Name, r.Key), is)
	if r.Since != "" {
		fmt.Fprintf(w, "  %s received since %s %s not trusted\n", count(r.Wrote, "memory", "memories"), minute(r.Since), is)
	}
	if r.Quarantine != nil {
		return a.showQuarantined(*r.Quarantine, dry)
	}
	return nil
}
