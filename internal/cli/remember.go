package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/model/anthropic"
	"github.com/stemma-memory/stemma/internal/model/openai"
	"github.com/stemma-memory/stemma/internal/settings"
	"github.com/stemma-memory/stemma/llm"
)

// model gives who drafts and compares, nil for the rules alone. One that cannot be
// opened is one that answers with the reason.
func (a *app) model(set *settings.Settings) (llm.Generator, error) {
	name, url, key := set.Get("model.name"), set.Get("model.url"), set.Get("model.key")
	kind := set.Get("model.kind")
	switch kind {
	case "", "none":
		return nil, nil
	case "sim":
		return llm.Sim{Seed: int64(set.Int("model.seed"))}, nil
	}
	if name == "" {
		return nil, stemma.Invalid("model.name is not set: 'stemma config set model.name NAME'")
	}
	var g llm.Generator
	var err error
	switch kind {
	case "anthropic":
		g, err = anthropic.New(anthropic.Config{Base: url, Model: name, Key: key})
	case "ollama":
		g, err = openai.NewGenerator(openai.GeneratorConfig{Base: or(url, "http://localhost:11434/v1"), Model: name, Key: key})
	default:
		g, err = openai.NewGenerator(openai.GeneratorConfig{Base: url, Model: name, Key: key})
	}
	if err != nil {
		return nil, stemma.Invalid("model: %v", err)
	}
	return g, nil
}

func (a *app) rememberCmd() *cobra.Command {
	c := cmd("remember TEXT", "Keep words, and have memories made of them", `Examples:
  stemma remember "Alice left Acme and joined StartupX"
  stemma remember "Alice left Acme and joined StartupX" --wait
  echo "We chose SQLite over files" | stemma remember -
  stemma remember "Bob prefers tabs" --judge      give back what it is to be compared with

The words are safe when it returns; 'stemma jobs run' makes memories of them and
compares these with older ones. With --wait that is done at once. Without a model
(see 'stemma config list') rules do it, for plain English`)
	var in stemma.RememberRequest
	f := c.Flags()
	f.StringVar(&in.Speaker, "speaker", "", "who says so (default: the user)")
	f.BoolVar(&in.Wait, "wait", false, "wait until memories are made and compared")
	f.BoolVar(&in.NoEvolution, "no-evolution", false, "do not compare them with older memories")
	f.BoolVar(&in.Judge, "judge", false, "give back what is to be compared, to be answered with 'stemma judge'")
	f.BoolVar(&in.Again, "again", false, "remember it although the same was rejected; only a person may")
	listVar(f, &in.Tags, "tag", "tag; repeat for more")
	listVar(f, &in.About, "about", "name of what it speaks of; repeat for more")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = in.Wait || in.Judge
		return verb(a, (*stemma.Engine).Remember, func(args []string) (stemma.RememberRequest, error) {
			text := strings.Join(args, " ")
			if text == "-" {
				b, err := io.ReadAll(a.env.Stdin)
				if err != nil {
					return in, err
				}
				text = strings.TrimSuffix(string(b), "\n")
			}
			if text == "" {
				return in, errors.New("remember: say what, or '-' to read it")
			}
			if !utf8.ValidString(text) && a.flags.url != "" { // JSON has no other text
				return in, errors.New("remember: it is not UTF-8; 'stemma raw -' keeps such words on a server")
			}
			in.Text, in.Source = text, "cli"
			return in, nil
		}, a.showRemembered)(cmd, args)
	}
	return c
}

func (a *app) showRemembered(r stemma.RememberReply) error {
	w := a.env.Stdout
	fmt.Fprintln(w, r.Ref)
	for _, m := range r.Memories {
		fmt.Fprintf(w, "  %s %s (%s)\n", a.ref(m.Type, m.ID), ofMemory(m, a.width()-40), decimal(m.Confidence))
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "  %s\n", a.linkLine(l))
	}
	for _, j := range r.Judge {
		fmt.Fprintf(w, "  compare %s %s with\n", shortRef(j.Ref), quoted(j.Headline, a.width()-40))
		for _, c := range j.Candidates {
			fmt.Fprintf(w, "    %d. %s %s (%s)\n", c.Number, shortRef(c.Ref), quoted(c.Headline, a.width()-40), day(c.CreatedAt))
		}
		fmt.Fprintf(w, "  and answer: stemma judge %s none | update N | extend N | derive N | contradict N\n", shortRef(j.Ref))
	}
	for _, n := range r.Notes {
		a.hint("%s", n)
	}
	for _, s := range r.Said {
		fmt.Fprintf(w, "  %s %s says it already\n", a.ref(s.Type, s.ID), quoted(s.Headline, a.width()-60))
	}
	for i := range r.NotBy {
		if n := &r.NotBy[i]; n.Alike {
			a.likeRejected(n)
		} else {
			a.hint("not drafted: %s %s was rejected by %s on %s", shortRef(n.Ref), quoted(n.Headline, 60), line(n.RejectedBy, 60), day(n.RejectedAt))
		}
	}
	switch {
	case r.Rejected != nil && !r.Rejected.Alike:
		a.hint("%s", r.Hint)
	case len(r.Said) > 0 || len(r.NotBy) > 0:
	case len(r.Jobs) > 0:
		a.hint("'stemma jobs run' makes memories of it; with --wait that is done at once")
	case len(r.Memories) == 0:
		a.hint("the words are kept; no memory was made of them: 'stemma promote %s' does", shortRef(r.Ref))
	}
	return nil
}

// linkLine is a link in one line.
func (a *app) linkLine(l stemma.LinkView) string {
	verb := map[string]string{
		"update": "is proposed in place of", "contradict": "contradicts", "extend": "adds to", "derive": "follows from", "supports": "supports",
	}[l.Relation]
	if l.State == "accepted" {
		verb = "took the place of"
	}
	text := fmt.Sprintf("%s  %s %s %s %s %s", shortRef(l.Ref), shortRef(l.New.Ref), quoted(l.New.Headline, 60), or(verb, l.Relation), shortRef(l.Old.Ref), quoted(l.Old.Headline, 60))
	if l.Reason != "" {
		text += " (" + line(l.Reason, 80) + ")"
	}
	if l.State != "open" && l.State != "accepted" {
		text += ", " + l.State
	}
	return text
}

func (a *app) compareCmd() *cobra.Command {
	c := cmd("compare REF", "Compare a memory with older ones: does it update, contradict, extend them?", `Examples:
  stemma compare belief:a04e
  stemma compare note:5d11 --later`)
	later := c.Flags().Bool("later", false, "leave it to jobs")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = !*later
		return verb(a, (*stemma.Engine).Compare, func(args []string) (stemma.CompareRequest, error) {
			ref, err := oneRef(args)
			return stemma.CompareRequest{Ref: ref, Wait: !*later}, err
		}, func(r stemma.CompareReply) error {
			for _, l := range r.Links {
				fmt.Fprintln(a.env.Stdout, a.linkLine(l))
			}
			for _, n := range r.Notes {
				a.hint("%s", n)
			}
			if len(r.Links) == 0 && len(r.Jobs) == 0 {
				a.hint("nothing older is updated, contradicted or added to by it")
			}
			return nil
		})(cmd, args)
	}
	return c
}

func (a *app) judgeCmd() *cobra.Command {
	c := cmd("judge REF RELATION [NUMBER]", "Answer how a new memory relates to those that were shown", `Examples:
  stemma judge belief:a04e none
  stemma judge belief:a04e update 2 --confidence 0.9 --reason "a new job"`)
	var in stemma.JudgeRequest
	sure := c.Flags().Float64("confidence", 0, "0 to 1 (default 0.5)")
	c.Flags().StringVar(&in.Reason, "reason", "", "one short sentence")
	c.RunE = verb(a, (*stemma.Engine).Judge, func(args []string) (stemma.JudgeRequest, error) {
		if c.Flags().Changed("confidence") {
			in.Confidence = sure
		}
		if len(args) < 2 || len(args) > 3 {
			return in, errors.New("judge: say of which memory, and the relation: none, update, extend, derive or contradict, with a number")
		}
		in.Ref, in.Relation = args[0], args[1]
		if len(args) == 3 {
			if _, err := fmt.Sscanf(args[2], "%d", &in.Candidate); err != nil {
				return in, fmt.Errorf("judge: %q is no number of those that were shown", args[2])
			}
		}
		return in, nil
	}, func(r stemma.JudgeReply) error {
		if r.Link == nil {
			a.hint("noted: none of them")
			return nil
		}
		fmt.Fprintln(a.env.Stdout, a.linkLine(*r.Link))
		return nil
	})
	return c
}

func (a *app) processCmd() *cobra.Command {
	c := cmd("process", "Make memories of captured events: fixes, constraints, decisions, episodes", `Examples:
  stemma process                     all that nobody has looked at
  stemma process --session s-42
  stemma process --later             leave it to jobs

Each draft cites exactly the events it rests on, and waits in 'stemma review'`)
	var in stemma.ProcessRequest
	f := c.Flags()
	f.BoolVar(&in.Later, "later", false, "leave it to jobs")
	f.BoolVar(&in.NoEvolution, "no-evolution", false, "do not compare what is drafted with older memories")
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		a.thinks = !in.Later
		in.Session = a.flags.session
		bar := a.progress(-1, "jobs")
		do := func(ctx context.Context, in stemma.ProcessRequest) (stemma.ProcessReply, error) {
			defer bar.end()
			return callAt(ctx, a, (*stemma.Engine).Process, (*stemma.Engine).ProcessUntil, in, bar.at)
		}
		return verbAs(a, do, func([]string) (stemma.ProcessRequest, error) { return in, nil }, func(r stemma.ProcessReply) error {
			if r.Raws == 0 && r.Done == 0 && r.Open == 0 && r.Later == 0 {
				a.hint("there was nothing to process: every event was looked at, or none was captured")
				return nil
			}
			fmt.Fprintf(a.env.Stdout, "%s of %s\n", count(r.Raws, "event", "events"), count(r.Sessions, "session", "sessions"))
			return a.showJobsRun(r.RunJobsReply)
		})(cmd, args)
	}
	return c
}
