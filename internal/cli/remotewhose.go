package cli

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
)

func (a *app) remoteWhoseCmd() *cobra.Command {
	var in api.RemoteRequest
	c := &cobra.Command{
		Use: "whose NAME mine|shared", Short: "Say whether a remote is only yours", Args: cobra.ExactArgs(2), Long: `Examples:
  stemma remote whose usb mine              all your spaces go there, new ones too, with captures
  stemma remote whose usb mine --raw=false  the same without captures
  stemma remote whose team shared           your new projects and what is about you stay here

As long as you have not said it, a remote exchanges what it exchanged before, and "sync" names what stays here`,
		RunE: verb(a, (*engine.Engine).RemoteAdd, func(args []string) (api.RemoteRequest, error) {
			in.Name, in.Whose = args[0], args[1]
			return in, nil
		}, a.showRemotes),
	}
	withCaptures(c, &in)
	return c
}

// withCaptures adds the flag that says whether captures go to a remote.
func withCaptures(c *cobra.Command, in *api.RemoteRequest) {
	usage := "exchange captures too (default: if it is only yours)"
	c.Flags().BoolFunc("raw", usage, func(s string) error {
		yes, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("want true or false, got %q", s)
		}
		in.Raw = &yes
		return nil
	})
}

func (a *app) remoteShareCmd() *cobra.Command {
	return &cobra.Command{
		Use: "share NAME [SPACE…]", Short: "Share this project's space, or other spaces, with a remote",
		Args: cobra.MinimumNArgs(1), Long: `Examples:
  stemma remote share team           this project's space
  stemma remote share team plans

What is in the space already goes there too, with the next sync`,
		RunE: verb(a, (*engine.Engine).RemoteAdd, func(args []string) (api.RemoteRequest, error) {
			in := api.RemoteRequest{Name: args[0], Also: args[1:]}
			if len(in.Also) > 0 {
				return in, nil
			}
			space, err := a.spaceHere(context.Background())
			in.Also = []string{space}
			return in, err
		}, a.showRemotes),
	}
}

// onlyYours asks whose a place is, once; in is where the answer is read.
func (a *app) onlyYours(in *bufio.Reader, place string) (string, error) {
	for {
		answer, err := a.ask(in, fmt.Sprintf("Is %s only yours, such as your own disk or machine? "+
			"If so it gets all your spaces, with captures. yes or no: ", clean(place)))
		if err != nil {
			return "", err
		}
		switch strings.ToLower(answer) {
		case "y", "yes":
			return "mine", nil
		case "n", "no":
			return "shared", nil
		}
	}
}

// askWhose asks whose a remote is that does not get all spaces, and keeps the answer.
func (a *app) askWhose(ctx context.Context, r api.SyncReply) error {
	a.hint("not exchanged with %s so far: %s", r.Remote, someNames(r.KeptBack))
	whose, err := a.onlyYours(a.typing(), r.Remote)
	if err != nil {
		return err
	}
	_, err = call(ctx, a, (*engine.Engine).RemoteAdd, api.RemoteRequest{Name: r.Remote, Whose: whose})
	return err
}

// someNames lists names, a few of many.
func someNames(names []string) string {
	const most = 5
	shown := names[:min(most, len(names))]
	out := make([]string, len(shown))
	for i, name := range shown {
		out[i] = clean(name)
	}
	if more := len(names) - len(shown); more > 0 {
		return strings.Join(out, ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(out, ", ")
}
