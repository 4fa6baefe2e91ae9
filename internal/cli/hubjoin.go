package cli

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
)

func (a *app) random() io.Reader { return rand.Reader }

// hubToken is what lies in a person's directory of a hub that was joined, readable
// by him alone.
type hubToken struct {
	Address  string `json:"address"`
	CA       string `json:"ca,omitempty"`       // file of the authority that signs its certificate
	Insecure bool   `json:"insecure,omitempty"` // plain http to another machine
	client.Joined
}

// hubFileOf returns the file of a hub's token.
func (a *app) hubFileOf(address string) (string, error) {
	dir, err := a.dataDir()
	sum := sha256.Sum256([]byte(strings.TrimRight(address, "/")))
	return filepath.Join(dir, "hubs", hex.EncodeToString(sum[:8])+".json"), err
}

// hubClient speaks to a hub that was joined.
func (a *app) hubClient(address string) (*client.Client, error) {
	path, err := a.hubFileOf(address)
	if err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, api.Invalid("you have not joined the hub %s; to join: stemma hub join %s --invitation CODE", address,
			address)
	}
	var t hubToken
	if err == nil {
		err = json.Unmarshal(raw, &t)
	}
	if err != nil {
		return nil, fmt.Errorf("read the token of %s: %w", address, err)
	}
	return a.hubSpeaks(t, 0)
}

func (a *app) hubSpeaks(t hubToken, patience time.Duration) (*client.Client, error) {
	o := client.Options{Token: t.Token, Patience: patience, Insecure: t.Insecure, Version: a.env.Version, Dice: dice}
	if t.CA != "" {
		text, err := os.ReadFile(t.CA)
		if err != nil {
			return nil, err
		}
		o.Roots = x509.NewCertPool()
		if !o.Roots.AppendCertsFromPEM(text) {
			return nil, api.Invalid("no certificate in %s", t.CA)
		}
	}
	return client.New(t.Address, o)
}

// dice keeps many from coming back at once.
func dice() float64 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return float64(binary.LittleEndian.Uint32(b[:])) / (1 << 32)
}

// hubJoin shows a hub an invitation and the owner's signature, and keeps its token.
func (a *app) hubJoin(ctx context.Context, t hubToken, code, label string) (client.Joined, error) {
	c, err := a.hubSpeaks(t, -1) // a person waits
	if err != nil {
		return client.Joined{}, hubProblem(err)
	}
	defer c.Close()
	ch, err := c.Challenge(ctx)
	if err != nil {
		return client.Joined{}, hubProblem(err)
	}
	e, err := a.open(ctx)
	if err != nil {
		return client.Joined{}, err
	}
	j, err := e.SignJoin(ctx, ch.Hub, ch.Challenge, code)
	if err != nil {
		return client.Joined{}, err
	}
	var chain []peer.Line
	for _, l := range j.Keys {
		chain = append(chain, l)
	}
	t.Joined, err = c.Join(ctx, client.Join{
		Account: j.Account, Key: j.Key, Keys: chain, Name: or(j.Name, label), Label: label, Invitation: code,
		Challenge: ch.Challenge, Sig: j.Sig,
	})
	if err != nil {
		return client.Joined{}, hubProblem(err)
	}
	raw, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return client.Joined{}, err
	}
	path, err := a.hubFileOf(t.Address)
	if err == nil {
		err = writePrivate(path, append(raw, '\n'))
	}
	t.Joined.Token = "" // it is in the file, and nobody else's to see
	return t.Joined, err
}

// hubAway is an error of a hub that cannot be spoken with.
type hubAway struct{ error }

func (hubAway) Is(err error) bool { return err == api.ErrUnavailable }
func (h hubAway) Unwrap() error   { return h.error }

// hubRefused is one of a hub that said no.
type hubRefused struct{ error }

func (hubRefused) Is(err error) bool { return err == api.ErrForbidden }
func (h hubRefused) Unwrap() error   { return h.error }

func hubProblem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, peer.ErrDenied):
		return hubRefused{err}
	case errors.Is(err, client.ErrDown), errors.Is(err, client.ErrSlow), errors.Is(err, client.ErrNoHub),
		errors.Is(err, peer.ErrVersion):
		return hubAway{err}
	case errors.Is(err, client.ErrCertificate):
		return hubAway{fmt.Errorf("%w; if your own authority signed it: stemma hub join URL --invitation CODE --ca FILE",
			err)}
	case errors.Is(err, client.ErrPlain):
		return api.Invalid("%s, or use --insecure-http", err)
	}
	return err
}

func (a *app) hubJoinCmd() *cobra.Command {
	c := &cobra.Command{Use: "join URL", Short: "Join a hub with an invitation", Args: cobra.ExactArgs(1), Long: `Examples:
  stemma hub join https://memory.example.org:7465 --invitation stemma-invitation-…
  stemma hub join https://hub.lan:7465 --invitation stemma-invitation-… --ca ca.pem

Your owner's key signs the request. stemma keeps the token that it receives in your
own directory, readable only by you. Only a person at a terminal can join`}
	var t hubToken
	code := c.Flags().String("invitation", "", "invitation code")
	label := c.Flags().String("label", "", "name of this machine at the hub")
	c.Flags().StringVar(&t.CA, "ca", "", "file of the authority that signed the hub's certificate (default: the system's)")
	c.Flags().BoolVar(&t.Insecure, "insecure-http", false, "allow plain HTTP to another machine")
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if *code == "" {
			return fmt.Errorf("hub join: needs --invitation CODE")
		}
		t.Address = strings.TrimRight(args[0], "/")
		if t.CA != "" && !filepath.IsAbs(t.CA) {
			t.CA = filepath.Join(a.env.Dir, t.CA)
		}
		a.alone = true
		got, err := a.hubJoin(cmd.Context(), t, *code, *label)
		if err != nil {
			return ran{err}
		}
		if a.flags.json {
			return a.printJSON(got)
		}
		fmt.Fprintf(a.env.Stdout, "joined %s as %s\n", clean(got.Hub), got.Account)
		if got.Space != "" {
			fmt.Fprintf(a.env.Stdout, "%s of %s\n", got.Role, clean(got.Space))
		}
		a.hint("to exchange records with it: stemma remote add NAME %s", t.Address)
		return nil
	}
	return c
}
