package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) anchorCmd() *cobra.Command {
	c := cmd("anchor REF", "Anchor a memory to a commit, page, file or timestamp", `Examples:
  stemma anchor line belief:a04e               print the line to put in a commit message
  stemma anchor belief:a04e --git HEAD
  stemma anchor belief:a04e --url https://example.org/notes.html
  stemma anchor belief:a04e --file docs/decision.md
  stemma anchor request belief:a04e --out b.tsq
  stemma anchor belief:a04e --rfc3161 b.tsr
  stemma anchor check --online                 check anchors again, pages included

An anchor counts only if the place names the memory, or if its author named the
place in the signed record. Only --url and --online use the network`)
	var in api.AnchorRequest
	places := make(map[string]*string)
	f := c.Flags()
	var names []string
	for _, p := range []struct{ flag, typ, doc string }{
		{"git", "git_commit", "a commit of the repository here"}, {"url", "url", "a web page; stemma fetches it"},
		{"file", "file", "a file below the project"},
		{"rfc3161", "rfc3161", "a timestamp authority's answer to 'anchor request'"},
	} {
		places[p.typ] = f.String(p.flag, "", p.doc)
		names = append(names, p.flag)
	}
	f.StringVar(&in.Type, "type", "", "anchor type: "+strings.Join(memory.AnchorTypes, ", "))
	f.StringVar(&in.Reference, "reference", "", "with --type: what it refers to")
	a.rootsFlag(c)
	c.MarkFlagsRequiredTogether("type", "reference")
	c.MarkFlagsMutuallyExclusive(append(names, "type")...)
	c.MarkFlagsOneRequired(append(names, "type")...)
	c.RunE = verb(a, (*engine.Engine).Anchor, func(args []string) (api.AnchorRequest, error) {
		for typ, reference := range places {
			if *reference != "" {
				in.Type, in.Reference = typ, *reference
			}
		}
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, a.showAnchor)
	c.AddCommand(a.anchorCheckCmd(), a.anchorRequestCmd(), a.anchorLineCmd())
	return c
}

// rootsFlag adds the flag of verbs that look at timestamps.
func (a *app) rootsFlag(c *cobra.Command) {
	c.Flags().StringVar(&a.locks.roots, "roots", "",
		"file with trusted timestamp authorities (default: the setting timestamp.roots, then the system's)")
	c.PreRun = func(*cobra.Command, []string) { a.locks.stamps = true }
}

// anchorColor is the colour of each status of an anchor.
var anchorColor = map[string]string{"verified": green, "changed": red, "gone": red}

func (a *app) showAnchor(r api.AnchorReply) error {
	fmt.Fprintf(a.env.Stdout, "%s\n", r.Claim)
	bound := "names the memory"
	if !r.Bound {
		bound = "does not name the memory"
	}
	a.hint("%s %s: %s, %s%s", r.Type, whole(r.Reference), r.Status, bound, aside(whole(r.Why)))
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
	a.hint("%s: %s", shortRef(r.Trust.Ref), a.trustWords(r.Trust))
	return nil
}

func (a *app) anchorCheckCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "check [REF]", Short: "Check anchors against what they point to",
		Example: "  stemma anchor check                  due anchors, offline\n  stemma anchor check --all --online\n" +
			"  stemma anchor check belief:a04e",
	}
	var in api.AnchorCheckRequest
	c.Flags().BoolVar(&in.All, "all", false, "also check anchors that are not due")
	c.Flags().BoolVar(&in.Online, "online", false, "fetch pages")
	a.rootsFlag(c)
	c.RunE = verb(a, (*engine.Engine).AnchorCheck, func(args []string) (api.AnchorCheckRequest, error) {
		if len(args) == 0 {
			return in, nil
		}
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r api.AnchorCheckReply) error {
		for _, x := range r.Checked {
			before := ""
			if x.Before != "" && x.Before != x.Status {
				before = " (was " + x.Before + ")"
			}
			bound := ""
			if !x.Bound {
				bound = ", does not name the memory"
			}
			fmt.Fprintf(a.env.Stdout, "%s  %s %s of %s%s%s%s\n",
				a.paint(anchorColor[x.Status], fmt.Sprintf("%-12s", x.Status)), x.Type,
				whole(x.Reference), shortRef(x.Of), before, bound, aside(whole(inVerbs(x.Why))))
		}
		a.hint("%d checked, %d skipped (not due, or need --online)", len(r.Checked), r.Skipped)
		return nil
	})
	return a.refVerb(c, "")
}

func (a *app) anchorRequestCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "request REF", Short: "Write a request for a timestamp authority",
		Example: "  stemma anchor request belief:a04e --out b.tsq\n" +
			"  curl -H 'Content-Type: application/timestamp-query' --data-binary @b.tsq https://… > b.tsr\n" +
			"  stemma anchor belief:a04e --rfc3161 b.tsr",
	}
	out := c.Flags().String("out", "", "file to write (default: standard output, unless it is a terminal)")
	c.RunE = verb(a, (*engine.Engine).AnchorStamp, showRequest, func(r api.AnchorStampReply) error {
		if *out == "" && a.onTerminal() {
			return api.Invalid("the request is binary; name a file with --out")
		}
		return a.put(*out, string(r.Query))
	})
	return a.refVerb(c, "")
}

func (a *app) anchorLineCmd() *cobra.Command {
	c := &cobra.Command{
		Use: "line REF", Short: "Print the line that names a memory in a commit, page or file",
		Example: "  git commit -m \"Cache the index\" -m \"$(stemma anchor line belief:a04e)\"",
	}
	c.RunE = verb(a, (*engine.Engine).AnchorStamp, showRequest, func(r api.AnchorStampReply) error {
		fmt.Fprintln(a.env.Stdout, r.Line)
		return nil
	})
	return a.refVerb(c, "")
}
