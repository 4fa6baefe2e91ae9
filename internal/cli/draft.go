package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

// draftFlags are the flags that say what a memory says.
type draftFlags struct {
	draft    api.Draft
	meta     api.Meta
	from     []string
	priority int
}

// metaFlags adds those that every memory has.
func (d *draftFlags) metaFlags(f *pflag.FlagSet) {
	d.number(f, "confidence", "confidence, 0 to 1", &d.meta.Confidence)
	listVar(f, &d.meta.Tags, "tag", "tag; repeatable, or separated by commas")
	listVar(f, &d.meta.About, "about", "name that it is about; repeatable, or separated by commas")
	f.StringVar(&d.meta.ValidFrom, "valid-from", "", "start of validity: 2026-01-31 or RFC 3339")
	f.StringVar(&d.meta.ValidUntil, "valid-until", "", "end of validity")
	f.StringVar(&d.meta.Trigger, "trigger", "", "what prompted it")
	f.StringArrayVar(&d.meta.URLs, "url", nil, "web page it is about, signed as evidence; repeatable")
	f.StringArrayVar(&d.meta.Files, "file", nil, "code it is about: path, path#symbol or path:10-20; repeatable")
}

// approveFlag adds the one of verbs that make a memory.
func (d *draftFlags) approveFlag(f *pflag.FlagSet) {
	f.BoolVar(&d.meta.Approve, "approve", false, "approve it now; only a person's approval raises its tier")
}

// againFlag adds the one with which a person says what was rejected.
func againFlag(f *pflag.FlagSet) *bool {
	return f.Bool("again", false, "write it although the same text was rejected; only for a person")
}

// kindFlags adds those of one kind.
func (d *draftFlags) kindFlags(f *pflag.FlagSet, k memory.Kind) {
	v := &d.draft
	switch k {
	case memory.KindEpisode:
		f.StringVar(&v.Outcome, "outcome", "", "outcome, in words")
		f.StringVar(&v.OutcomeType, "outcome-type", "", "outcome type: success, failure, partial or unknown")
		f.StringArrayVar(&v.Lessons, "lesson", nil, "lesson learned; repeatable")
		f.StringArrayVar(&v.Repeat, "repeat", nil, "what to repeat next time")
		f.StringArrayVar(&v.Avoid, "avoid", nil, "what to avoid next time")
		d.number(f, "valence", "how it felt, from -1 (bad) to 1 (good)", &v.Valence)
		d.number(f, "arousal", "intensity of the feeling, 0 to 1", &v.Arousal)
		listVar(f, &v.Emotions, "emotion", "name of a feeling")
	case memory.KindNote:
		f.StringVar(&v.Type, "type", "", strings.Join(memory.NoteTypes, ", ")+` (default "observation")`)
		f.StringVar(&v.Description, "body", "", "details beyond the summary")
		f.StringVar(&v.Speaker, "speaker", "", "speaker")
		f.StringVar(&v.Reason, "reason", "", "why")
		f.StringArrayVar(&v.Alternatives, "alternative", nil, "alternative that was considered; repeatable")
	case memory.KindBelief:
		f.StringVar(&v.Type, "type", "", `fact, principle, preference, opinion, … (default "fact")`)
	case memory.KindValue:
		f.StringVar(&v.Name, "name", "", "short name; the text is the statement")
		d.priorityFlag(f)
	case memory.KindGoal:
		f.StringVar(&v.Type, "type", "", "type of goal, in one word")
		f.StringVar(&v.Description, "description", "", "details beyond the title")
		d.priorityFlag(f)
	case memory.KindDrive:
		d.number(f, "intensity", "0 to 1 (default 0.5)", &v.Intensity)
		listVar(f, &v.Focus, "focus", "focus of the drive")
	case memory.KindRelationship:
		f.StringVar(&v.Type, "type", "", strings.Join(memory.RelationshipTypes, ", "))
		f.StringVar(&v.Description, "description", "", "what you know about them")
		d.number(f, "sentiment", "-1 to 1", &v.Sentiment)
	case memory.KindPlaybook:
		f.StringVar(&v.When, "when", "", "situation that it is for")
		f.StringArrayVar(&v.Steps, "step", nil, "step; repeatable")
		f.StringArrayVar(&v.FailureModes, "failure-mode", nil, "how it can fail")
		f.StringArrayVar(&v.Recovery, "recovery", nil, "how to recover")
	}
}

// allFlags adds those of every kind, for verbs that make any of them.
func (d *draftFlags) allFlags(f *pflag.FlagSet, kinds ...memory.Kind) {
	for _, k := range kinds {
		one := pflag.NewFlagSet(string(k), pflag.ContinueOnError)
		d.kindFlags(one, k)
		one.VisitAll(func(flag *pflag.Flag) {
			if f.Lookup(flag.Name) == nil {
				flag.Usage = string(k) + ": " + flag.Usage
				f.AddFlag(flag)
			}
		})
	}
}

func (d *draftFlags) number(f *pflag.FlagSet, name, usage string, into **float64) {
	f.Func(name, usage, func(s string) error {
		var n float64
		if _, err := fmt.Sscan(s, &n); err != nil {
			return fmt.Errorf("%q is not a number", s)
		}
		*into = &n
		return nil
	})
}

func (d *draftFlags) priorityFlag(f *pflag.FlagSet) {
	f.Func("priority", "0 to 100 (default 50)", func(s string) error {
		if _, err := fmt.Sscan(s, &d.priority); err != nil {
			return fmt.Errorf("%q is not a whole number", s)
		}
		d.draft.Priority = &d.priority
		return nil
	})
}

// textArg joins the words of an argument list; "-" is standard input.
func (a *app) textArg(args []string) (string, error) {
	if len(args) == 1 && args[0] == "-" {
		raw, err := a.readStdin()
		return string(raw), err
	}
	return strings.Join(args, " "), nil
}

// readStdin reads words from standard input, a little more than a raw may have
// so that too much is refused and not cut.
func (a *app) readStdin() ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(a.env.Stdin, memory.MaxRawText+1))
	if err != nil {
		return nil, ran{fmt.Errorf("read standard input: %w", err)}
	}
	return raw, nil
}

// wrote shows what a write stored: the full ref alone, for scripts, and what a
// person may want to know beside it.
func (a *app) wrote(r api.WriteReply) error {
	fmt.Fprintln(a.env.Stdout, r.Ref)
	a.redacted(r.Redacted)
	if r.Existing {
		a.hint("nothing stored: %s has the same text and sources", shortRef(r.Ref))
	}
	if r.Hint != "" {
		a.hint("%s", r.Hint)
	}
	a.likeRejected(r.Rejected)
	return nil
}

// likeRejected says that a memory is like one that a person rejected.
func (a *app) likeRejected(r *api.Rejection) {
	if r != nil && r.Alike {
		a.hint("similar to %s %s, which %s rejected on %s", shortRef(r.Ref), quoted(r.Headline, 60), line(r.RejectedBy, 60),
			day(r.RejectedAt))
	}
}

// kindCmd is the family of verbs of one kind.
func (a *app) kindCmd(k memory.Kind) *cobra.Command {
	name := string(k)
	c := cmd(name+" TEXT | add | list | show | revise | history", kindShort[k], kindExamples[k])
	c.Annotations = map[string]string{takes: takesProse}
	d := &draftFlags{}
	add := func(c *cobra.Command) *cobra.Command {
		d.metaFlags(c.Flags())
		d.approveFlag(c.Flags())
		a.secretsFlag(c.Flags())
		d.kindFlags(c.Flags(), k)
		c.Flags().StringSliceVar(&d.from, "from", nil, "ref of a source; repeatable")
		told := c.Flags().Bool("told", false, "it was told, not experienced")
		again := againFlag(c.Flags())
		c.Args = cobra.ArbitraryArgs
		c.RunE = verb(a, (*engine.Engine).Add, func(args []string) (api.AddRequest, error) {
			if len(args) == 0 {
				return api.AddRequest{}, fmt.Errorf("%s: give the text, for example: %s", name, firstExample(k))
			}
			var err error
			d.draft.Kind = name
			d.draft.Text, err = a.textArg(args)
			return api.AddRequest{Draft: d.draft, Meta: d.meta, From: d.from, Told: *told, Again: *again}, err
		}, a.wrote)
		return c
	}
	add(c)
	c.AddCommand(a.kindVerbs(k)...)
	c.AddCommand(
		add(&cobra.Command{Use: "add TEXT", Short: "Add one; '-' reads standard input", Example: "  " + firstExample(k)}),
		a.kindList(k), a.refVerb(a.kindShow(k), k), a.refVerb(a.kindRevise(k), k))
	if k != memory.KindRelationship { // its history is that of a name
		c.AddCommand(a.refVerb(a.kindHistory(k), k))
	}
	return c
}

var kindShort = map[memory.Kind]string{
	memory.KindEpisode:      "Experiences, their outcomes and lessons",
	memory.KindNote:         "Decisions, insights, quotes and constraints",
	memory.KindBelief:       "Statements held to be true",
	memory.KindValue:        "Principles that outrank everything else",
	memory.KindGoal:         "Goals and their progress",
	memory.KindDrive:        "Motivations and their strength",
	memory.KindRelationship: "What is known about people, agents and projects",
	memory.KindPlaybook:     "Procedures and how often they helped",
}

var kindExamples = map[memory.Kind]string{
	memory.KindEpisode: `Examples:
  stemma episode "Moved the session cache to Redis" --outcome-type success --lesson "measure first"
  stemma episode list --provenance
  stemma episode show 81c0 --trace`,
	memory.KindNote: `Examples:
  stemma note "Use bun:sqlite for the database" --type decision --reason "no native build"
  stemma note list --type constraint
  stemma note show 5d11 --trace`,
	memory.KindBelief: `Examples:
  stemma belief "API endpoints should be RESTful" --type principle --confidence 0.85
  stemma belief list --provenance
  stemma belief show a04e --trace
  stemma belief revise a04e "New API endpoints should be RESTful"
  stemma belief history a04e`,
	memory.KindValue: `Examples:
  stemma value "Say what was measured" --priority 90
  stemma value list`,
	memory.KindGoal: `Examples:
  stemma goal "Ship the importer" --priority 80
  stemma goal progress 3f9a 40%
  stemma goal status 3f9a achieved
  stemma goal list`,
	memory.KindDrive: `Examples:
  stemma drive curiosity --intensity 0.7 --focus "how things fail"
  stemma drive satisfy 3f9a --amount 0.2
  stemma drive list`,
	memory.KindRelationship: `Examples:
  stemma relationship "Alice" --type person --description "runs the platform team" --sentiment 0.6
  stemma relationship history Alice
  stemma relationship list`,
	memory.KindPlaybook: `Examples:
  stemma playbook "Roll back a release" --when "errors rise after a deploy" --step "stop the rollout" --step "revert"
  stemma playbook find "errors after a deploy"
  stemma playbook outcome 3f9a success
  stemma playbook list`,
}

func firstExample(k memory.Kind) string {
	return strings.TrimSpace(strings.Split(kindExamples[k], "\n")[1])
}
