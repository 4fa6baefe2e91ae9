package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) rememberCmd() *cobra.Command {
	c := cmd("remember [TEXT]", "Keep words and draft memories from them", `Examples:
  stemma remember "Alice left Acme and joined StartupX"
  echo "We chose SQLite over files" | stemma remember -
  stemma remember "Orders are in PostgreSQL" --replaces note:5d11 --why "SQLite locked"
  stemma remember "Bob prefers tabs" --judge      show the memories to compare it with
  stemma remember "Offers go out on Mondays" --from raw:3f9a --not-kept raw:77b0,raw:81c0

stemma stores the words, drafts memories from them by rules, and compares these with
older memories before the command returns. What no rule drafts becomes a note of the
words. If you have set a model (see 'stemma config list'), a job has it refine the
drafts later; with --wait the model drafts now`)
	var in api.RememberRequest
	f := c.Flags()
	f.StringVar(&in.Speaker, "speaker", "", "speaker (default: the user)")
	f.BoolVar(&in.Wait, "wait", false, "wait for the model that is set")
	f.BoolVar(&in.NoEvolution, "no-evolution", false, "do not compare with older memories")
	f.BoolVar(&in.Judge, "judge", false, "show the memories to compare, and answer with 'stemma judge'")
	f.StringVar(&in.Kind, "kind", "", "what it is: belief, decision, preference, convention, known_fix, …")
	f.StringVar(&in.ValidFrom, "valid-from", "", "start of validity: 2026-01-31 or RFC 3339")
	f.StringVar(&in.ValidUntil, "valid-until", "", "end of validity")
	f.BoolVar(&in.Again, "again", false, "remember it although the same text was rejected; only for a person")
	listVar(f, &in.Replaces, "replaces", "memory that it takes the place of; repeatable")
	f.StringVar(&in.Why, "why", "", "the reason for it")
	listVar(f, &in.From, "from", "capture that it keeps what matters of (see 'stemma recent --waiting'); repeatable")
	listVar(f, &in.NotKept, "not-kept", "prompt of which nothing is worth keeping; goes without TEXT; repeatable")
	listVar(f, &in.Files, "file", "code it speaks of: path, path#symbol or path:10-20; repeatable")
	listVar(f, &in.Tags, "tag", "tag; repeatable")
	listVar(f, &in.About, "about", "name that it is about; repeatable")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks, a.rules = true, !in.Wait && !in.Judge
		defer func() { a.leaveVectors(cmd.Context()) }()
		return verb(a, (*engine.Engine).Remember, func(args []string) (api.RememberRequest, error) {
			text := strings.Join(args, " ")
			if text == "-" {
				b, err := io.ReadAll(a.env.Stdin)
				if err != nil {
					return in, err
				}
				text = strings.TrimSuffix(string(b), "\n")
			}
			if text == "" && len(in.NotKept) == 0 {
				return in, errors.New("remember: give the text, or '-' to read standard input")
			}
			if !utf8.ValidString(text) && a.flags.url != "" { // JSON has no other text
				return in, errors.New("remember: the text is not UTF-8; to keep it on a server: stemma capture -")
			}
			in.Text, in.Source = text, "cli"
			return in, nil
		}, a.showRemembered)(cmd, args)
	}
	return c
}

func (a *app) showRemembered(r api.RememberReply) error {
	w := a.env.Stdout
	if r.Ref != "" {
		fmt.Fprintln(w, r.Ref)
	}
	for _, ref := range r.NotKept {
		fmt.Fprintf(w, "  not kept: %s\n", shortRef(ref))
	}
	if r.Type != "raw" && len(r.Memories) == 0 { // there was nothing else to remember
		a.hint("%s", r.Hint)
		return nil
	}
	for _, m := range r.Memories {
		fmt.Fprintf(w, "  %s %s (%s)\n", a.ref(m.Type, m.ID), a.ofMemory(m), decimal(m.Confidence))
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "  %s\n", a.linkLine(l))
	}
	for i := range r.Near {
		m := &r.Near[i]
		fmt.Fprintf(w, "  near: %s %s (%s)\n", a.ref(m.Type, m.ID), a.ofMemory(*m), a.on(or(m.At, m.CreatedAt)))
	}
	if len(r.Near) > 0 && len(r.Memories) > 0 {
		a.hint("if one of them is no longer so: stemma correct REF --by %s", shortRef(r.Memories[0].Ref))
	}
	for _, j := range r.Judge {
		fmt.Fprintf(w, "  compare %s %s with\n", shortRef(j.Ref), cited(j.Headline))
		for _, c := range j.Candidates {
			fmt.Fprintf(w, "    %d. %s %s (%s)\n", c.Number, shortRef(c.Ref), cited(or(c.Text, c.Headline)),
				a.on(or(c.At, c.CreatedAt)))
		}
		fmt.Fprintf(w, "  to answer: stemma judge %s none | update N | extend N | derive N | contradict N\n", shortRef(j.Ref))
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	for _, s := range r.SaidAgain {
		fmt.Fprintf(w, "  %s %s already says so\n", a.ref(s.Type, s.ID), cited(s.Headline))
	}
	for i := range r.RejectedBefore {
		if n := &r.RejectedBefore[i]; n.Alike {
			a.likeRejected(n)
		} else {
			a.hint("not drafted: %s %s was rejected by %s on %s", shortRef(n.Ref), cited(n.Headline),
				a.about(n.RejectedBy, 60), day(n.RejectedAt))
		}
	}
	switch {
	case r.Rejected != nil && !r.Rejected.Alike:
		a.hint("%s", r.Hint)
	case len(r.SaidAgain) > 0 || len(r.RejectedBefore) > 0:
	case len(r.Jobs) > 0:
		a.hint("a model will refine them: stemma jobs run (or use --wait)")
	case len(r.Memories) == 0:
		a.hint("words kept, no memory drafted; to make one: stemma promote %s", shortRef(r.Ref))
	}
	return nil
}

// linkLine is a link in one line.
func (a *app) linkLine(l api.LinkView) string {
	verb := map[string]string{
		"update": "is proposed in place of", "contradict": "contradicts", "extend": "adds to", "derive": "follows from",
		"supports": "supports",
	}[l.Relation]
	if l.State == "accepted" || l.State == "applied" {
		verb = "superseded"
	}
	text := fmt.Sprintf("%s  %s %s %s %s %s", shortRef(l.Ref), shortRef(l.New.Ref), cited(or(l.New.Text, l.New.Headline)),
		or(verb, l.Relation), shortRef(l.Old.Ref), cited(or(l.Old.Text, l.Old.Headline)))
	if l.Reason != "" {
		text += " (" + whole(l.Reason) + ")"
	}
	switch l.State {
	case "open", "proposed", "accepted":
	case "applied":
		text += ", applied without a person"
	default:
		text += ", " + linkState(l)
	}
	return text
}

func (a *app) compareCmd() *cobra.Command {
	c := cmd("compare REF", "Find older memories that a memory updates or contradicts", `Examples:
  stemma compare belief:a04e
  stemma compare note:5d11 --with note:77b0,note:81c0
  stemma compare note:5d11 --later`)
	c.Aliases = []string{"detect"}
	with := c.Flags().StringSlice("with", nil, "ref of an older memory, at most 10; default: what is like it")
	later := c.Flags().Bool("later", false, "do it later, as a job")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = !*later
		return verb(a, (*engine.Engine).Compare, func(args []string) (api.CompareRequest, error) {
			ref, err := oneRef(args)
			return api.CompareRequest{Ref: ref, With: *with, Wait: !*later}, err
		}, func(r api.CompareReply) error {
			for _, l := range r.Links {
				fmt.Fprintln(a.env.Stdout, a.linkLine(l))
			}
			for _, n := range r.Notes {
				a.hint("%s", n)
			}
			if len(r.Links) == 0 && len(r.Jobs) == 0 {
				a.hint("no update, contradiction or addition found")
			}
			return nil
		})(cmd, args)
	}
	return c
}

func (a *app) judgeCmd() *cobra.Command {
	c := cmd("judge REF RELATION [NUMBER]", "Answer how a new memory relates to older ones", `Examples:
  stemma judge belief:a04e none
  stemma judge belief:a04e update 2 --confidence 0.9 --reason "a new job"`)
	var in api.JudgeRequest
	sure := c.Flags().Float64("confidence", 0, "0 to 1 (default 0.5)")
	c.Flags().StringVar(&in.Reason, "reason", "", "one short sentence")
	c.RunE = verb(a, (*engine.Engine).Judge, func(args []string) (api.JudgeRequest, error) {
		if c.Flags().Changed("confidence") {
			in.Confidence = sure
		}
		if len(args) < 2 || len(args) > 3 {
			return in, errors.New("judge: give the memory, the relation (none, update, extend, derive, contradict) and a number")
		}
		in.Ref, in.Relation = args[0], args[1]
		if len(args) == 3 {
			if _, err := fmt.Sscanf(args[2], "%d", &in.Candidate); err != nil {
				return in, fmt.Errorf("judge: %q is not one of the numbers shown", args[2])
			}
		}
		return in, nil
	}, func(r api.JudgeReply) error {
		if r.Link == nil {
			a.hint("recorded: no relation")
			return nil
		}
		fmt.Fprintln(a.env.Stdout, a.linkLine(*r.Link))
		return nil
	})
	return c
}
