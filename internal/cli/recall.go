package cli

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/plain"
)

func (a *app) recallCmd() *cobra.Command {
	c := cmd("recall [QUESTION…]", "Get what is known about a question or a task", `Examples:
  stemma recall "where are orders kept"
  stemma recall "change the importer" --budget 2000 --limit 20
  stemma recall                              what to know before you start work
  stemma recall "when do we deploy" --without source:wiki    and as if it had never been heard
  stemma recall "what did the tests say" --kind raw

With a question, you get the memories that answer it, best first, and the constraints
that always apply. A mark in brackets says what is not ordinary about a memory. What
tools printed is left out unless you ask for captures with --kind raw`)
	var in api.RecallRequest
	f := c.Flags()
	f.IntVar(&in.Budget, "budget", 0, "tokens that the answer may take, 100 to 50000 (default 1000)")
	f.IntVar(&in.Limit, "limit", 0, "maximum number (default 5, up to 1000)")
	f.StringVar(&in.Kind, "kind", "", "only this kind; several kinds separated by commas")
	f.StringVar(&in.Since, "since", "", "only what happened or was recorded since this time")
	f.StringVar(&in.AsOf, "as-of", "", "as it was known at this time")
	f.BoolVar(&in.All, "all", false, "also superseded, rejected and forgotten memories")
	withoutFlag(f, &in.Without)
	f.BoolVar(&in.Proofs, "proofs", false, "with --json: what proves each entry offline, beside the budget")
	a.embeds = true
	c.RunE = verb(a, (*engine.Engine).Recall, func(args []string) (api.RecallRequest, error) {
		if in.Proofs && !a.flags.json {
			return in, errors.New("--proofs is for programs: give --json too, and keep the answer as a file")
		}
		if in.Query = strings.Join(args, " "); !a.flags.json {
			in.Form = api.FormText
		}
		return in, nil
	}, a.showRecalled)
	return c
}

func (a *app) showRecalled(r api.RecallReply) error {
	a.warn(r.Warnings)
	if r.Start != "" {
		fmt.Fprintln(a.env.Stdout, r.Start)
	} else {
		a.showAnswer(&r)
	}
	if then := r.Without; then != nil {
		a.showDiffers(&then.Unheard, then.Differs)
		if then.Answer.Start == "" && len(then.Differs) > 0 {
			fmt.Fprintln(a.env.Stdout, "\nThe answer without it:")
			a.showAnswer(&then.Answer)
		}
	}
	return nil
}

func withoutFlag(f *pflag.FlagSet, to *[]string) {
	f.StringArrayVar(
		to, "without", nil, "also answer as if this had never been heard: a ref, source:NAME or author:NAME; repeatable",
	)
}

// showDiffers prints what differs in an answer without something. Nothing was written.
func (a *app) showDiffers(u *api.Unheard, all []api.Difference) {
	w := a.env.Stdout
	fmt.Fprintf(w, "\n%s:\n", plain.Text(brief.Unheard(u)))
	for _, line := range brief.DifferLines(all) {
		fmt.Fprintf(w, "  %s\n", plain.Text(line))
	}
	if len(all) == 0 {
		fmt.Fprintln(w, "  nothing differs")
	}
	if u.Hint != "" {
		a.hint("%s", u.Hint)
	}
}

func (a *app) showAnswer(r *api.RecallReply) {
	w := a.env.Stdout
	if len(r.Results) == 0 && r.LeftOut == 0 {
		a.hint("nothing is known about %s", cited(r.Query))
	}
	style := brief.Style{
		Ref: func(kind, ref string) string { return a.paint(kindColor(kind), ref) },
		Dim: func(text string) string { return a.paint(dim, text) },
		In:  zone(),
	}
	fmt.Fprint(w, style.Lines(r)) // its words are harmless already
	if r.LeftOut > 0 {
		a.hint("%d more found; a larger --budget shows them", r.LeftOut)
	}
}

func (a *app) correctCmd() *cobra.Command {
	c := cmd("correct REF [TEXT]", "Say that a memory is otherwise, wrong or over", `Examples:
  stemma correct belief:a04e "Orders are kept in PostgreSQL"
  stemma correct belief:a04e "Orders are kept in PostgreSQL" --why "SQLite locked"
  stemma correct note:5d11 --wrong --why "it was the other gateway"
  stemma correct note:5d11 --over
  stemma correct note:5d11 --by note:77c0

With a text, a new memory replaces the old one, and with --by one that is there already.
--wrong says that it was never so, --over that it was so until now. The old one stays readable. What a person wrote or
approved, an agent cannot replace: its correction waits for the person`)
	in := api.CorrectRequest{Source: "cli"}
	f := c.Flags()
	wrong := f.Bool("wrong", false, "it was never so")
	over := f.Bool("over", false, "it was so until now")
	f.StringVar(&in.Why, "why", "", "the reason")
	f.StringVar(&in.By, "by", "", "the memory that says what is so instead")
	c.Args = cobra.ArbitraryArgs
	c.MarkFlagsMutuallyExclusive("wrong", "over", "by")
	c.RunE = verb(a, (*engine.Engine).Correct, func(args []string) (api.CorrectRequest, error) {
		if len(args) == 0 {
			return in, errors.New("correct: name a memory, and give what is so instead, --by REF, --wrong or --over")
		}
		in.Ref, in.Text = args[0], strings.Join(args[1:], " ")
		switch {
		case in.Text == "" && in.By == "" && !*wrong && !*over && !likeRef(in.Ref):
			return in, fmt.Errorf("correct: give an ID and what is so now: stemma correct REF %s; 'stemma search' finds the ID",
				shellWord(or(textIn(in.Ref), "TEXT")))
		case *wrong:
			in.Is = "wrong"
		case *over:
			in.Is = "over"
		}
		return in, nil
	}, func(r api.CorrectReply) error {
		w := a.env.Stdout
		switch r.Done {
		case "replaced":
			fmt.Fprintf(w, "%s replaces %s\n", shortRef(r.Ref), shortRef(r.Of))
		case "replaced in part":
			fmt.Fprintf(w, "%s is replaced in part, by %s\n", shortRef(r.Of), shortRef(r.Ref))
		case "ended":
			fmt.Fprintf(w, "%s ended; %s says until when\n", shortRef(r.Of), shortRef(r.Ref))
		case "forgotten", "rejected":
			if r.Rejected != nil {
				a.hint("not replaced: %s %s was rejected by %s on %s", shortRef(r.Rejected.Ref),
					cited(r.Rejected.Headline), a.about(r.Rejected.RejectedBy, 60), day(r.Rejected.RejectedAt))
				return nil
			}
			fmt.Fprintf(w, "%s is %s\n", shortRef(r.Of), r.Done)
		case "proposed":
			fmt.Fprintf(w, "%s is proposed in place of %s\n", shortRef(r.Ref), shortRef(r.Of))
		default:
			fmt.Fprintf(w, "%s is disputed\n", shortRef(r.Of))
		}
		if r.Hint != "" {
			a.hint("%s", r.Hint)
		}
		return nil
	})
	a.askingWhy(c, "correct", firstRef, &in.Why)
	return c
}

// textIn returns what is a text rather than a ref.
func textIn(word string) string {
	if strings.ContainsFunc(word, unicode.IsSpace) {
		return word
	}
	return ""
}
