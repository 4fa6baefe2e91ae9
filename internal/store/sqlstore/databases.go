package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/salvage"
)

// Databases is what a program hands to the engine, to open its stores with.
type Databases struct {
	// Passphrases returns those that may open an encrypted store, in the order to try them; nil
	// opens none.
	Passphrases func(path string) ([][]byte, error)
}

var _ store.Databases = Databases{}

// Open is the function of that name.
func (d Databases) Open(ctx context.Context, spec string, o Options) (store.Database, error) {
	s, err := unlocked(d, func() (*Store, error) { return Open(ctx, spec, o) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Peek is the function of that name.
func (d Databases) Peek(ctx context.Context, spec string) (store.Database, error) {
	s, err := unlocked(d, func() (*Store, error) { return Peek(ctx, spec) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Copy is the function of that name.
func (d Databases) Copy(ctx context.Context, from, to string) error {
	_, err := unlocked(d, func() (*Store, error) { return nil, Copy(ctx, from, to) })
	return err
}

// Install is the function of that name.
func (Databases) Install(ctx context.Context, made, path string) error {
	return Install(ctx, made, path)
}

// MoveAside is the function of that name.
func (d Databases) MoveAside(ctx context.Context, path, aside string, then func() error) error {
	_, err := unlocked(d, func() (*Store, error) { return nil, MoveAside(ctx, path, aside, then) })
	return err
}

// Salvage reads what is whole of a damaged file.
func (d Databases) Salvage(ctx context.Context, path string) (*store.Salvage, error) {
	return unlocked(d, func() (*store.Salvage, error) { return salvage.File(ctx, path) })
}

// unlocked does something, and where a store is met that is encrypted, unlocks it and does it again:
// one that is not costs nothing.
func unlocked[T any](d Databases, do func() (T, error)) (T, error) {
	out, err := do()
	locked, is := errors.AsType[*atrest.LockedError](err)
	if !is || d.Passphrases == nil {
		return out, err
	}
	if err := Unlock(locked.Path, d.Passphrases); err != nil {
		return out, err
	}
	return do()
}

// Unlock unwraps the key of an encrypted store with one of some passphrases, and holds it.
func Unlock(path string, passphrases func(path string) ([][]byte, error)) error {
	h, err := atrest.ReadHead(path)
	if err != nil || h == nil || atrest.Held(h.Name) != nil {
		return err
	}
	secrets, err := passphrases(path)
	if atrest.Held(h.Name) != nil { // it is a copy of a store that was unlocked for that
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s is encrypted: %w", path, err)
	}
	for _, secret := range secrets {
		if _, err = h.Unwrap(atrest.ByPassphrase, secret); !errors.Is(err, atrest.ErrSecret) {
			return err
		}
	}
	return fmt.Errorf("%s is encrypted, and the passphrase does not open it", path)
}
