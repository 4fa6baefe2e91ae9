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

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
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

// remotesFile is the person's own.
func (a *app) remotesFile() string {
	dir, err := a.dataDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "remotes.json")
}

// dial opens the peers behind an address.
func (a *app) dial(ctx context.Context, address string, self peer.Self) ([]peer.Endpoint, func() error, error) {
	switch scheme, _, url := strings.Cut(address, "://"); {
	case !url:
		ends, err := carrier.Folder(ctx, address, self)
		return ends, nil, err
	case scheme == "ssh":
		a.hush() // ssh may ask for something
		return carrier.SSH(ctx, address, a.env.Getenv("STEMMA_SSH"), a.unattended, a.env.Stderr)
	case strings.HasPrefix(address, carrier.GitScheme):
		return carrier.Git(ctx, address, self)
	case scheme == "https" || scheme == "http":
		c, err := a.hubClient(address)
		if err != nil {
			return nil, nil, err
		}
		return []peer.Endpoint{{Remote: c, Gives: true, Takes: true, Cosigns: true}},
			func() error { c.Close(); return nil }, nil
	default:
		return nil, nil, fmt.Errorf("unsupported address: %s", scheme)
	}
}
