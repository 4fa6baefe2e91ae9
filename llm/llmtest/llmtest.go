// Package llmtest has doubles of models, for tests of programs that use stemma. They need no server, cost nothing
// and answer the same on every machine.
package llmtest

import (
	"context"
	"sync"

	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/llm"
)

// Sim returns a Generator that answers every task of package llm by plain rules: the same seed and question give the
// same answer to the byte. The first calls fail with faults, one for each call in their order, such as
// llm.ErrUnavailable for a model that is down; nil is a call that does not fail.
func Sim(seed int64, faults ...error) llm.Generator {
	return &failing{Generator: sim.Generator{Seed: seed}, faults: faults}
}

// failing is a Generator whose first calls fail.
type failing struct {
	llm.Generator
	mu     sync.Mutex
	faults []error
}

func (f *failing) Generate(ctx context.Context, q llm.Question) (llm.Answer, error) {
	if err := f.next(); err != nil {
		return llm.Answer{}, err
	}
	return f.Generator.Generate(ctx, q)
}

// next returns the fault of a call, nil for none.
func (f *failing) next() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.faults) == 0 {
		return nil
	}
	fault := f.faults[0]
	f.faults = f.faults[1:]
	return fault
}
