package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) witnessCmd() *cobra.Command {
	c := cmd(groupWrite, "witness REF", "Say of somebody else's memory that it is right, wrong, or both in parts", `Examples:
  stemma witness belief:a04e --confirm
  stemma witness belief:a04e --dispute --notes "it was the disk"
  stemma witness belief:a04e --partial --notes "true until March"

It is signed, and bound to this revision of the memory. Of one's own memories only
a dispute says anything: it takes them back`)
	in := stemma.WitnessRequest{}
	says := make(map[string]*bool)
	for _, s := range []struct{ name, doc string }{
		{"confirm", "it is right"}, {"dispute", "it is wrong"}, {"partial", "parts of it are right, parts wrong"},
	} {
		says[s.name] = c.Flags().Bool(s.name, false, s.doc)
	}
	c.Flags().StringVar(&in.Notes, "notes", "", "why")
	c.MarkFlagsMutuallyExclusive(memory.Attestations...)
	c.MarkFlagsOneRequired(memory.Attestations...)
	c.RunE = verb(a, (*stemma.Engine).Witness, func(args []string) (stemma.WitnessRequest, error) {
		for name, said := range says {
			if *said {
				in.Attestation = name
			}
		}
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r stemma.WitnessReply) error {
		fmt.Fprintf(a.env.Stdout, "%s\n", r.Claim)
		t := r.Trust
		a.hint("%s of %s: %s", in.Attestation, shortRef(t.Ref), a.trustWords(t))
		if r.Hint != "" {
			a.hint("%s", r.Hint)
		}
		return nil
	})
	return c
}
