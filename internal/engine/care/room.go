// Package care is the part of the engine for the care of stores: audit, backup, repair, status.
package care

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/mind"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
)

// Care is that part, for one caller.
type Care struct {
	*core.Core

	exchange  *exchange.Exchange
	intake    *intake.Intake
	lifecycle *lifecycle.Lifecycle
	mind      *mind.Mind
	recall    *recall.Finder
	receipts  *receipts.Journal
	standing  *standing.Standings
	trust     *trust.Scores
	views     *views.Views
}

// Rooms are this one and those below, for one caller.
type Rooms struct {
	Care      *Care
	Exchange  *exchange.Exchange
	Intake    *intake.Intake
	Keyring   *keyring.Keyring
	Lifecycle *lifecycle.Lifecycle
	Mind      *mind.Mind
	Receipts  *receipts.Journal
	Recall    *recall.Finder
	Standing  *standing.Standings
	Trust     *trust.Scores
	Views     *views.Views

	// Writing is the lifecycle of what a person and their agents write themselves: what the other rooms write lets no
	// proposals go.
	Writing *lifecycle.Lifecycle
}

// Shared is what all callers of an opened store share.
type Shared struct {
	scored trust.Scored
	noted  *receipts.Noted
}

// NewShared returns it for a store that was just opened.
func NewShared() *Shared { return &Shared{noted: new(receipts.Noted)} }

// Trial returns it for a trial, in which what is given is noted as ever.
func (s *Shared) Trial() *Shared { return &Shared{noted: s.noted} }

// Assemble returns the rooms over a store and what its callers share.
func Assemble(c *core.Core, s *Shared) *Rooms {
	r := &Rooms{Trust: trust.New(c, &s.scored)}
	r.Keyring = keyring.New(r.Trust)
	r.Receipts = receipts.New(s.noted, r.Trust)
	r.Standing = standing.New(r.Receipts, r.Trust)
	r.Views = views.New(r.Receipts, r.Standing, r.Trust)
	r.Lifecycle = lifecycle.New(r.Receipts, r.Standing, r.Trust, r.Views)
	r.Writing = lifecycle.New(r.Receipts, r.Standing, r.Trust, r.Views)
	r.Intake = intake.New(r.Lifecycle, r.Receipts, r.Standing, r.Trust, r.Views)
	r.Exchange = exchange.New(r.Intake, r.Keyring, r.Lifecycle, r.Trust)
	r.Recall = recall.New(r.Intake, remotes{r.Exchange}, r.Receipts, r.Standing, r.Trust, r.Views)
	r.Mind = mind.New(r.Lifecycle, r.Recall, r.Receipts, r.Standing, r.Trust, r.Views)
	r.Care = &Care{
		Core: c, exchange: r.Exchange, intake: r.Intake, lifecycle: r.Lifecycle, mind: r.Mind, recall: r.Recall,
		receipts: r.Receipts, standing: r.Standing, trust: r.Trust, views: r.Views,
	}
	return r
}

// remotes are those of the room that exchanges records, for the one that answers questions.
type remotes struct{ e *exchange.Exchange }

func (r remotes) Named(ctx context.Context) (api.RemoteReply, error) { return exchange.Named(ctx, r.e) }
func (r remotes) KeptBack(ctx context.Context) (string, error) {
	return exchange.KeptBackLine(ctx, r.e)
}

// bare returns it over a store that no engine has.
func bare(c *core.Core) *Care { return Assemble(c, NewShared()).Care }
