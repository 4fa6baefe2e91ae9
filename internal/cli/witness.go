package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) witnessCmd() *cobra.Command {
	c := cmd("witness REF | request REF | requests | answer FILE", "Confirm or dispute another person's memory", `Examples:
  stemma witness belief:a04e --confirm
  stemma witness belief:a04e --dispute --notes "it was the disk"
  stemma witness belief:a04e --partial --notes "true until March"
  stemma witness request belief:a04e --to Bob --out for-bob.jsonl
  stemma witness answer for-bob.jsonl --confirm --out answer.jsonl
  stemma witness requests --via team       list requests at a hub

Your statement is signed and applies to this revision of the memory. On your own
memory, only a dispute has an effect: it retracts the memory`)
	in := api.WitnessRequest{}
	says := verdictFlags(c)
	c.Flags().StringVar(&in.Notes, "notes", "", "why")
	a.secretsFlag(c.Flags())
	c.MarkFlagsOneRequired(memory.Attestations...)
	c.RunE = verb(a, (*engine.Engine).Witness, func(args []string) (api.WitnessRequest, error) {
		in.Attestation = says()
		var err error
		in.Ref, err = oneRef(args)
		return in, err
	}, func(r api.WitnessReply) error {
		fmt.Fprintf(a.env.Stdout, "%s\n", r.Claim)
		a.redacted(r.Redacted)
		t := r.Trust
		fmt.Fprintf(a.env.Stderr, "%s of %s: %s\n", in.Attestation, shortRef(t.Ref), a.trustWords(t)) // it has colours
		if r.Hint != "" {
			a.hint("%s", r.Hint)
		}
		return nil
	})
	c.AddCommand(a.askWitnessCmd(), a.answerWitnessCmd(), a.witnessRequestsCmd())
	return c
}
