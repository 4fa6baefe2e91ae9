package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) promoteCmd() *cobra.Command {
	c := cmd("promote RAW… [-m TEXT]", "Make a memory from captures", `Examples:
  stemma promote raw:3f9a raw:77b0 -m "Profiled the API" --outcome-type success
  stemma promote raw:3f9a --to belief -m "The API is slow on Mondays"
  stemma promote raw:3f9a --to note --type decision -m "Cache the session"`)
	d := &draftFlags{}
	d.makeFlags(c, "episode")
	a.secretsFlag(c.Flags())
	again := c.Flags().Bool("again", false, "promote again, or although a person rejected the same text")
	c.RunE = verb(a, (*engine.Engine).Promote, func(args []string) (api.PromoteRequest, error) {
		refs, err := manyRefs(args, memory.KindRaw)
		return api.PromoteRequest{From: refs, Draft: d.draft, Meta: d.meta, Again: *again}, err
	}, a.wrote)
	return c
}

func (a *app) consolidateCmd() *cobra.Command {
	c := cmd("consolidate REF… -m STATEMENT", "Make a belief or another memory from several", `Examples:
  stemma consolidate episode:81c0 episode:5d11 -m "Caching pays off" --confidence 0.85
  stemma consolidate belief:a04e belief:9b12 --to value -m "Measure before you build"`)
	d := &draftFlags{}
	d.makeFlags(c, "belief")
	a.secretsFlag(c.Flags())
	batch := c.Flags().String("batch", "", "name of the consolidation batch")
	again := againFlag(c.Flags())
	c.RunE = verb(a, (*engine.Engine).Consolidate, func(args []string) (api.ConsolidateRequest, error) {
		if len(args) == 0 {
			return api.ConsolidateRequest{}, fmt.Errorf("consolidate: name memories and give the statement with -m; for " +
				"proposals: stemma synthesize beliefs")
		}
		refs, err := manyRefs(args, "")
		if err == nil && d.draft.Text == "" {
			err = fmt.Errorf("consolidate: give the statement with -m")
		}
		return api.ConsolidateRequest{From: refs, Draft: d.draft, Meta: d.meta, Batch: *batch, Again: *again}, err
	}, a.wrote)
	return c
}

// makeFlags adds the flags of verbs that make a memory of others.
func (d *draftFlags) makeFlags(c *cobra.Command, to string) {
	f := c.Flags()
	f.StringVarP(&d.draft.Text, "text", "m", "", "text: the objective, statement, summary, …")
	f.StringVar(&d.draft.Kind, "to", to, "kind of the new memory")
	d.metaFlags(f)
	d.approveFlag(f)
	d.allFlags(f, core.Drafted()...)
	c.Args = cobra.ArbitraryArgs
}

// manyRefs reads several refs, "kind:id" or "kind id"; a bare id is of the kind,
// if one is given.
func manyRefs(args []string, kind memory.Kind) ([]string, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("name at least one record: kind:id, or a prefix of its ID")
	}
	var refs []string
	for i := 0; i < len(args); i++ {
		ref, of := args[i], kind
		if memory.Kind(ref).Known() && i+1 < len(args) {
			i++
			ref, of = args[i], memory.Kind(ref)
		}
		if of != "" {
			ref = kindRef(of, ref)
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

func (a *app) reviseCmd() *cobra.Command {
	c := cmd("revise REF [TEXT]", "Replace a memory or its fields; the old one stays readable", `Examples:
  stemma revise belief:a04e "New API endpoints should be RESTful" --confidence 0.9
  stemma revise belief:a04e -m "…" --from episode:81c0
  stemma revise playbook:3f9a --step "stop the rollout" --step "revert"
  stemma revise note:5d11 --clear reason --clear valid-until

Fields that you do not name stay the same: text, confidence, times, evidence, tags.`)
	d := &draftFlags{}
	a.reviseRun(c, d, "", core.Drafted()...)
	return c
}

func (a *app) kindRevise(k memory.Kind) *cobra.Command {
	c := &cobra.Command{Use: "revise ID [TEXT]", Short: "Replace it or its fields; the old one stays readable"}
	a.reviseRun(c, &draftFlags{}, k, k)
	return c
}

func (a *app) reviseRun(c *cobra.Command, d *draftFlags, kind memory.Kind, kinds ...memory.Kind) {
	f := c.Flags()
	f.StringVarP(&d.draft.Text, "text", "m", "", "new text")
	f.StringSliceVar(&d.from, "from", nil, "ref of another source; repeatable")
	d.metaFlags(f)
	d.approveFlag(f)
	a.secretsFlag(f)
	d.allFlags(f, kinds...)
	again := againFlag(f)
	clear := f.StringSlice("clear", nil, "field to empty, such as reason, steps or valid-until; repeatable")
	merge := f.StringSlice("merge", nil, "ref of another memory to replace; repeatable")
	c.Args = cobra.ArbitraryArgs
	run := verb(a, (*engine.Engine).Revise, func(args []string) (api.ReviseRequest, error) {
		in := api.ReviseRequest{From: d.from, Clear: *clear, Merge: *merge, Again: *again}
		if len(args) > 2 && memory.Kind(args[0]).Known() {
			args = append([]string{args[0] + ":" + args[1]}, args[2:]...)
		}
		if len(args) == 0 {
			return in, fmt.Errorf("revise: name the memory, and give a new text or a field")
		}
		if name := emptyFlag(f); name != "" {
			return in, fmt.Errorf("--%s: is empty; leave it out to keep the value, or empty it with --clear", name)
		}
		in.Ref = args[0]
		if kind != "" {
			in.Ref = kindRef(kind, args[0])
		}
		if d.draft.Text == "" {
			text, err := a.textArg(args[1:])
			if err != nil {
				return in, err
			}
			if len(args) > 1 && strings.TrimSpace(text) == "" {
				return in, fmt.Errorf("revise: the text is empty; leave it out to keep the text")
			}
			d.draft.Text = text
		}
		in.Draft, in.Meta = d.draft, d.meta
		return in, nil
	}, a.wrote)
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if kind != "" && len(args) > 0 {
			ref, err := a.refOf(cmd.Context(), kind, args[0])
			if err != nil {
				return ran{err}
			}
			args = append([]string{ref}, args[1:]...)
		}
		return run(cmd, args)
	}
}

// emptyFlag returns the name of a flag that was given an empty value, "" for none.
func emptyFlag(f *pflag.FlagSet) (name string) {
	f.Visit(func(flag *pflag.Flag) {
		says := flag.Value.String() != "" && flag.Value.String() != "[]"
		switch v := flag.Value.(type) {
		case *names:
			says = len(*v.list) > 0
		default:
			says = says || flag.Value.Type() != "string" && flag.Value.String() != "[]"
		}
		if name == "" && !says {
			name = flag.Name
		}
	})
	return name
}
