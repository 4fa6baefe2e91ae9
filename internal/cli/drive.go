package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/memory"
)

func (a *app) driveSatisfyCmd() *cobra.Command {
	c := &cobra.Command{Use: "satisfy ID", Short: "Record that a drive was met, which weakens it",
		Example: "  stemma drive satisfy 3f9a\n  stemma drive satisfy 3f9a --amount 0.4 --reason \"a day of reading\""}
	var in api.DriveSatisfyRequest
	amount := c.Flags().Float64("amount", 0.2, "how much to weaken it, 0 to 1")
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).DriveSatisfy, func(args []string) (api.DriveSatisfyRequest, error) {
		var err error
		in.Ref, err = oneRef(args)
		in.Amount = amount
		return in, err
	}, a.showMarked)
	return a.refVerb(c, memory.KindDrive)
}

func (a *app) driveIntensityCmd() *cobra.Command {
	c := &cobra.Command{Use: "intensity ID 0…1", Short: "Set the strength of a drive",
		Example: "  stemma drive intensity 3f9a 0.7"}
	var in api.DriveIntensityRequest
	c.Flags().StringVar(&in.Reason, "reason", "", "why")
	c.RunE = verb(a, (*engine.Engine).DriveIntensity, func(args []string) (api.DriveIntensityRequest, error) {
		ref, word, err := refAndWord(args, "its strength, 0 to 1")
		if err != nil {
			return in, err
		}
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return in, fmt.Errorf("%q is not a number", word)
		}
		in.Ref, in.Intensity = ref, &n
		return in, nil
	}, a.showMarked)
	return a.refVerb(c, memory.KindDrive)
}
