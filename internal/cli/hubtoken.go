package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
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

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/keys"
)

// hubToken is what lies in a person's directory of a hub that was joined, readable
// by that person alone.
type hubToken struct {
	Address  string `json:"address"`
	CA       string `json:"ca,omitempty"`        // file of the authority that signs its certificate
	Insecure bool   `json:"insecure,omitempty"`  // plain http to another machine
	Proof    []byte `json:"proof_key,omitempty"` // seed of the key that proves each request
	client.Joined

	pem string // the certificates themselves, where no file has them
}

// hubFileOf returns the file of a hub's token.
func (a *app) hubFileOf(address string) (string, error) {
	dir, err := a.dataDir()
	sum := sha256.Sum256([]byte(strings.TrimRight(address, "/")))
	return filepath.Join(dir, "hubs", hex.EncodeToString(sum[:8])+".json"), err
}

// readHubToken reads the token of a hub; fs.ErrNotExist is that there is none.
func (a *app) readHubToken(address string) (t hubToken, err error) {
	path, err := a.hubFileOf(address)
	if err != nil {
		return t, err
	}
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, &t)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("read the token of %s: %w", address, err)
	}
	return t, err
}

func (a *app) writeHubToken(t hubToken) error {
	raw, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	path, err := a.hubFileOf(t.Address)
	if err != nil {
		return err
	}
	return writePrivate(path, append(raw, '\n'))
}

// changeHubToken changes the token of a hub while no other process does.
func (a *app) changeHubToken(address string, change func(*hubToken)) (t hubToken, err error) {
	path, err := a.hubFileOf(address)
	if err != nil {
		return t, err
	}
	const patience = 5 * time.Second
	unlock, err := journal.Lock(path, patience)
	if err != nil {
		return t, err
	}
	defer unlock()
	if t, err = a.readHubToken(address); err != nil {
		return t, err
	}
	change(&t)
	return t, a.writeHubToken(t)
}

// hubClient speaks to a hub that was joined, or that this machine joins by its service file.
func (a *app) hubClient(address string) (*client.Client, error) {
	t, err := a.readHubToken(address)
	if errors.Is(err, fs.ErrNotExist) {
		service, err := a.serviceAt(address)
		if err != nil {
			return nil, err
		}
		if service == nil {
			return nil, api.Invalid("you have not joined the hub %s; to join: stemma hub join %s --invitation CODE", address,
				address)
		}
		return a.hubSpeaks(a.tokenOf(service), 0)
	}
	if err != nil {
		return nil, err
	}
	if len(t.Proof) == 0 { // a token of an earlier release: it is bound to a key when it is used next
		seed := a.newSeed()
		bound, err := a.changeHubToken(address, func(t *hubToken) {
			if len(t.Proof) == 0 {
				t.Proof = seed
			}
		})
		if err == nil { // where nothing can be written, the token goes on as it is
			t = bound
		}
	}
	return a.hubSpeaks(t, 0)
}

func (a *app) newSeed() []byte {
	const size = 32
	seed := make([]byte, size)
	_, _ = io.ReadFull(a.random(), seed) // never fails
	return seed
}

// hubSpeaks returns a client of the hub of a token.
func (a *app) hubSpeaks(t hubToken, patience time.Duration) (*client.Client, error) {
	o := client.Options{Token: t.Token, Patience: patience, Insecure: t.Insecure, Version: a.env.Version, Dice: dice}
	if err := t.trust(&o); err != nil {
		return nil, err
	}
	o.Binding = client.Binding{Hub: t.Hub, TokenID: t.TokenID, Bound: t.Bound, Expires: t.Expires}
	if len(t.Proof) > 0 {
		key, err := keys.FromSeed(t.Proof)
		if err != nil {
			return nil, fmt.Errorf("the token of %s is damaged: %w", t.Address, err)
		}
		o.Binding.Key = key
	}
	o.Binding.Keep = func(r client.Renewed) error {
		_, err := a.changeHubToken(t.Address, func(now *hubToken) {
			now.Token, now.TokenID, now.Expires, now.Ends, now.Bound = r.Token, r.TokenID, r.Expires, r.Ends, true
		})
		return err
	}
	o.Binding.Kept = func() (client.Renewed, error) {
		now, err := a.readHubToken(t.Address)
		if err != nil || !now.Bound || !bytes.Equal(now.Proof, t.Proof) { // this machine joined once more meanwhile
			return client.Renewed{}, err
		}
		return client.Renewed{Token: now.Token, TokenID: now.TokenID, Expires: now.Expires}, nil
	}
	if service, err := a.serviceAt(t.Address); err != nil {
		return nil, err
	} else if service != nil {
		o.Binding.Join = func(ctx context.Context) (client.Joined, error) { return a.joinAsService(ctx, service, t) }
	}
	return client.New(t.Address, o)
}

// joinsHub joins a hub: sign is asked to sign the hub's challenge and the key of this machine. The token that the hub
// gives is bound to that key, which lies beside it, and is kept.
func (a *app) joinsHub(
	ctx context.Context, t hubToken, patience time.Duration,
	sign func(ch client.Challenge, machine string) (client.Join, error), admits ...func(*client.Client) error,
) (client.Joined, error) {
	none := client.Joined{}
	if len(t.Proof) == 0 {
		t.Proof = a.newSeed()
	}
	key, err := keys.FromSeed(t.Proof)
	if err != nil {
		return none, err
	}
	t.Joined = client.Joined{}
	c, err := a.hubKnocks(t, patience, client.Binding{})
	if err != nil {
		return none, err
	}
	defer c.Close()
	ch, err := c.Challenge(ctx)
	if err != nil {
		return none, err
	}
	j, err := sign(ch, key.DID())
	if err != nil {
		return none, err
	}
	binding, err := a.hubKnocks(t, patience, client.Binding{Key: key, Hub: ch.Hub})
	if err != nil {
		return none, err
	}
	defer binding.Close()
	if t.Joined, err = binding.Join(ctx, j); err != nil {
		return none, err
	}
	for _, admit := range admits {
		if err := a.admits(t, admit); err != nil {
			return none, err
		}
	}
	return t.Joined, a.writeHubToken(t)
}

// admits asks whether to keep a token, with a client that has it.
func (a *app) admits(t hubToken, admit func(*client.Client) error) error {
	c, err := a.hubSpeaks(t, 0)
	if err != nil {
		return err
	}
	defer c.Close()
	return admit(c)
}

// hubKnocks is hubSpeaks for somebody who has no token yet.
func (a *app) hubKnocks(t hubToken, patience time.Duration, b client.Binding) (*client.Client, error) {
	o := client.Options{Patience: patience, Insecure: t.Insecure, Version: a.env.Version, Dice: dice, Binding: b}
	if err := t.trust(&o); err != nil {
		return nil, err
	}
	return client.New(t.Address, o)
}

// trust sets the authorities that sign the hub's certificate.
func (t hubToken) trust(o *client.Options) error {
	if o.CA = t.pem; t.CA != "" {
		text, err := os.ReadFile(t.CA)
		if err != nil {
			return err
		}
		o.CA = string(text)
	}
	if o.CA != "" {
		o.Roots = x509.NewCertPool()
		if !o.Roots.AppendCertsFromPEM([]byte(o.CA)) {
			return api.Invalid("no certificate in %s", or(t.CA, "the service file"))
		}
	}
	return nil
}
