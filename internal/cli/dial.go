package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/hub/client"
	"github.com/stemma-memory/stemma/internal/peer"
)

func (a *app) random() io.Reader { return rand.Reader }

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
