package engine_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	forger = enginetest.Forger
	people = enginetest.People
	repo   = enginetest.Repo
)

const (
	day       = enginetest.Day
	everyKind = enginetest.EveryKind
	fewer     = enginetest.Fewer
	hundred   = enginetest.Hundred
	storeCode = enginetest.StoreCode
)

var (
	about          = enginetest.About
	add            = enginetest.Add
	approve        = enginetest.Approve
	bundle         = enginetest.Bundle
	capture        = enginetest.Capture
	carry          = enginetest.Carry
	consolidate    = enginetest.Consolidate
	contextOf      = enginetest.ContextOf
	correct        = enginetest.Correct
	doors          = enginetest.Doors
	foreigners     = enginetest.Foreigners
	found          = enginetest.Found
	isInvalid      = enginetest.IsInvalid
	lineOf         = enginetest.LineOf
	loadOf         = enginetest.LoadOf
	mark           = enginetest.Mark
	newClock       = enginetest.NewClock
	newForger      = enginetest.NewForger
	newPeople      = enginetest.NewPeople
	newPoisoned    = enginetest.NewPoisoned
	newRepo        = enginetest.NewRepo
	newWorkshop    = enginetest.NewWorkshop
	number         = enginetest.Number
	onEach         = enginetest.OnEach
	open           = enginetest.Open
	order          = enginetest.Order
	postgresSchema = enginetest.PostgresSchema
	problems       = enginetest.Problems
	promote        = enginetest.Promote
	readPage       = enginetest.ReadPage
	receipts       = enginetest.Receipts
	refOf          = enginetest.RefOf
	refs           = enginetest.Refs
	reject         = enginetest.Reject
	remember       = enginetest.Remember
	replay         = enginetest.Replay
	revise         = enginetest.Revise
	search         = enginetest.Search
	short          = enginetest.Short
	shortRef       = enginetest.ShortRef
	shortened      = enginetest.Shortened
	show           = enginetest.Show
	stores         = enginetest.Stores
	syncs          = enginetest.Syncs
	take           = enginetest.Take
	talking        = enginetest.Talking
	textsOf        = enginetest.TextsOf
	traced         = enginetest.Traced
	trustIn        = enginetest.TrustIn
	undo           = enginetest.Undo
	verify         = enginetest.Verify
	wantRefs       = enginetest.WantRefs
	wantShort      = enginetest.WantShort
	withReceipts   = enginetest.WithReceipts
	write          = enginetest.Write
)
