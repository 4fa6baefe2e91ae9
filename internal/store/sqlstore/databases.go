package sqlstore

import (
	"context"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/salvage"
)

// Databases is what a program hands to the engine, to open its stores with.
type Databases struct{}

var _ store.Databases = Databases{}

// Open is the function of that name.
func (Databases) Open(ctx context.Context, spec string, o Options) (store.Database, error) {
	s, err := Open(ctx, spec, o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Peek is the function of that name.
func (Databases) Peek(ctx context.Context, spec string) (store.Database, error) {
	s, err := Peek(ctx, spec)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Copy is the function of that name.
func (Databases) Copy(ctx context.Context, from, to string) error { return Copy(ctx, from, to) }

// Install is the function of that name.
func (Databases) Install(ctx context.Context, made, path string) error {
	return Install(ctx, made, path)
}

// MoveAside is the function of that name.
func (Databases) MoveAside(ctx context.Context, path, aside string, then func() error) error {
	return MoveAside(ctx, path, aside, then)
}

// Salvage reads what is whole of a damaged file.
func (Databases) Salvage(ctx context.Context, path string) (*store.Salvage, error) {
	return salvage.File(ctx, path)
}
