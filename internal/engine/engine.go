// Package engine puts the parts of the engine together. Its requests and replies are in
// package api.
package engine

import (
	"context"
	"io"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/attest"
	"github.com/stemma-memory/stemma/internal/engine/care"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/exchange"
	"github.com/stemma-memory/stemma/internal/engine/folder"
	"github.com/stemma-memory/stemma/internal/engine/gone"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/internal/engine/keyring"
	"github.com/stemma-memory/stemma/internal/engine/lifecycle"
	"github.com/stemma-memory/stemma/internal/engine/mind"
	"github.com/stemma-memory/stemma/internal/engine/recall"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/removal"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/engine/views"
	"github.com/stemma-memory/stemma/internal/state"
)

// An Engine is one opened store with the keys of one person. It is safe for concurrent use.
type Engine struct {
	*core.Core
	*trust.Scores
	*keyring.Keyring
	*receipts.Journal
	*views.Views
	*lifecycle.Lifecycle
	*removal.Removal
	*intake.Intake
	*folder.Folder
	*exchange.Exchange
	*recall.Finder
	*mind.Mind
	*care.Care

	gone   *gone.Gone
	shared *care.Shared
}

// assemble returns an Engine over an opened store for one caller.
func assemble(c *core.Core, s *care.Shared) *Engine {
	r := care.Assemble(c, s)
	e := &Engine{
		Core: c, Scores: r.Trust, Keyring: r.Keyring, Journal: r.Receipts, Views: r.Views, Lifecycle: r.Writing,
		Removal: removal.New(r.Keyring, r.Standing, r.Trust, r.Views), Intake: r.Intake,
		Folder:   folder.New(r.Intake, r.Lifecycle, r.Trust, r.Views),
		Exchange: r.Exchange, Finder: r.Recall, Mind: r.Mind, Care: r.Care, shared: s,
	}
	e.gone = gone.New(r.Exchange, r.Intake, r.Receipts, r.Trust)
	e.Wrote = e.LetGo
	return e
}

// CarryOutDue erases what a purge that was dated ahead says, if its time has come. Open does it, and a
// server from time to time.
func CarryOutDue(ctx context.Context, e *Engine) error { return exchange.CarryOutDue(ctx, e.Exchange) }

// Behind lists the remotes with how far each is behind, and nothing that is judged by signed records.
func Behind(ctx context.Context, e *Engine) ([]api.Remote, error) {
	reply, err := exchange.Behind(ctx, e.Exchange)
	return reply.Remotes, err
}

// Embeds reports whether there is an embedder.
func Embeds(e *Engine) bool { return e.C.Embedder != nil }

// WithoutVector returns the embedder's model, "" where there is none, and how many records it has not seen.
func WithoutVector(ctx context.Context, e *Engine) (model string, n int, err error) {
	return recall.WithoutVector(e.Reading(ctx), e.Finder)
}

// Purge erases records for good, or all that belongs to a person, or with Status says where what was purged is erased.
func (e *Engine) Purge(ctx context.Context, in api.PurgeRequest) (api.PurgeReply, error) {
	if in.Asked() || in.List != "" {
		return e.gone.Purge(ctx, in)
	}
	if in.Status {
		return exchange.PurgeStatus(ctx, e.Exchange, in)
	}
	return e.Removal.Purge(ctx, in)
}

// Export writes records, one per line, with their signed bytes unchanged. Without refs it
// writes every record of the spaces in use, in the order of their logs; importing the lines
// into an empty store and exporting again gives the same bytes. With refs it writes all that a
// stranger needs to audit them: the key records, all sources, the claims about any of them
// and, with proofs, their places in the logs. Of a person it writes what belongs to them, and
// the keys.
func (e *Engine) Export(ctx context.Context, w io.Writer, in api.ExportRequest) (api.ExportReply, error) {
	if in.Asked() {
		return e.gone.Export(ctx, w, in)
	}
	return e.Intake.Export(ctx, w, in)
}

// Audit checks records as a stranger would: bytes, signature, canonical form, key
// and standing of each, and each log against its checkpoints. It says up to where
// a rewritten history would show. Or it checks a certificate of a purge, or an attestation of a change.
func (e *Engine) Audit(ctx context.Context, in api.AuditRequest) (api.AuditReply, error) {
	if in.Attestation != "" {
		return e.attesting().Audit(ctx, in)
	}
	if in.Signer != "" || in.Of != "" || in.Comment {
		return api.AuditReply{}, core.Invalid("signer, of and comment: they are of an attestation; give that too")
	}
	if in.Certificate != "" {
		return e.gone.Audit(ctx, in)
	}
	if in.List != "" {
		return api.AuditReply{}, core.Invalid("list: it is of a certificate; give that too")
	}
	return e.Care.Audit(ctx, in)
}

// Attest says on what the commits of a range rest: which sessions of agents wrote them, and which memories those had
// been given. It is signed by the person's key; without a signature an agent may read it too.
func (e *Engine) Attest(ctx context.Context, in api.AttestRequest) (api.AttestReply, error) {
	return e.attesting().Attest(ctx, in)
}

// attesting is made when it is asked for: few callers do.
func (e *Engine) attesting() *attest.Attest { return attest.New(e.Journal, e.Scores, e.Views) }

// Operations that open and inspect stores, from the parts of the engine that have them.
type (
	Config        = core.Config
	Caller        = core.Caller
	Stranger      = care.Stranger
	StrangerReply = care.StrangerReply
	StoreHead     = care.StoreHead
	StoreHeads    = care.StoreHeads
	Owning        = care.Owning
)

// What the faces of this repository alone are given, or are asked with.
type (
	AroundReply        = lifecycle.AroundReply
	AroundRequest      = lifecycle.AroundRequest
	AutoSync           = exchange.AutoSync
	AutoSynced         = exchange.AutoSynced
	Facet              = recall.Facet
	FacetValue         = recall.FacetValue
	Filled             = core.Filled
	FoundReply         = recall.FoundReply
	FoundRequest       = recall.FoundRequest
	Exactly            = recall.Exactly
	FoundResult        = recall.FoundResult
	Observed           = care.Observed
	PictureArrow       = mind.PictureArrow
	PictureNode        = mind.PictureNode
	PictureReply       = mind.PictureReply
	PictureRequest     = mind.PictureRequest
	PictureRoot        = mind.PictureRoot
	QueueFrom          = lifecycle.QueueFrom
	QueueItem          = lifecycle.QueueItem
	QueueReply         = lifecycle.QueueReply
	QueueRequest       = lifecycle.QueueRequest
	Place              = core.Place
	RecoverFileReply   = care.RecoverFileReply
	RecoverFileRequest = care.RecoverFileRequest
	Standing           = views.Standing
	SubjectReply       = mind.SubjectReply
	SubjectRequest     = mind.SubjectRequest
	TimelineReply      = mind.TimelineReply
	TimelineRequest    = mind.TimelineRequest
)

// Values of Config.Space besides the name of a space.
const (
	AllSpaces    = core.AllSpaces
	DefaultSpace = core.DefaultSpace
	MeSpace      = core.MeSpace
)

// What Config.Secrets may be.
const (
	SecretsRedact = core.SecretsRedact
	SecretsBlock  = core.SecretsBlock
	SecretsAllow  = core.SecretsAllow
)

// LogOK is the status of a log that begins with what somebody else holds of it.
const LogOK = intake.LogOK

// GoalStatuses are what a goal can be.
var GoalStatuses = core.GoalStatuses

// What needs no opened store, or a store that is another's.
var (
	Acts             = state.Acts
	CourseWords      = views.CourseWords
	IsExportedFolder = folder.IsExportedFolder
	NodeWords        = views.NodeWords
	NoteFiles        = folder.NoteFiles
	DraftBody        = core.DraftBody
	DraftMember      = core.DraftMember
	LookInto         = care.LookInto
	RecoverFile      = care.RecoverFile
	Restore          = care.Restore
	Saying           = care.Saying
	StateTag         = views.StateTag
)
