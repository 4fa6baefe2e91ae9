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
	fewer     = enginetest.Fewer
	hundred   = enginetest.Hundred
	storeCode = enginetest.StoreCode
)

var (
	add            = enginetest.Add
	bundle         = enginetest.Bundle
	capture        = enginetest.Capture
	carry          = enginetest.Carry
	consolidate    = enginetest.Consolidate
	contextOf      = enginetest.ContextOf
	correct        = enginetest.Correct
	doors          = enginetest.Doors
	foreigners     = enginetest.Foreigners
	isInvalid      = enginetest.IsInvalid
	loadOf         = enginetest.LoadOf
	newClock       = enginetest.NewClock
	newForger      = enginetest.NewForger
	newPeople      = enginetest.NewPeople
	newPoisoned    = enginetest.NewPoisoned
	newRepo        = enginetest.NewRepo
	newWorkshop    = enginetest.NewWorkshop
	onEach         = enginetest.OnEach
	open           = enginetest.Open
	postgresSchema = enginetest.PostgresSchema
	problems       = enginetest.Problems
	promote        = enginetest.Promote
	readPage       = enginetest.ReadPage
	refOf          = enginetest.RefOf
	refs           = enginetest.Refs
	reject         = enginetest.Reject
	remember       = enginetest.Remember
	revise         = enginetest.Revise
	search         = enginetest.Search
	short          = enginetest.Short
	shortRef       = enginetest.ShortRef
	show           = enginetest.Show
	stores         = enginetest.Stores
	syncs          = enginetest.Syncs
	take           = enginetest.Take
	traced         = enginetest.Traced
	trustIn        = enginetest.TrustIn
	undo           = enginetest.Undo
	verify         = enginetest.Verify
	wantRefs       = enginetest.WantRefs
	write          = enginetest.Write
)
