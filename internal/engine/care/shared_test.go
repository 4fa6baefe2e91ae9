package care_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type poisoned = enginetest.Poisoned

const fewer = enginetest.Fewer

var (
	add         = enginetest.Add
	approve     = enginetest.Approve
	capture     = enginetest.Capture
	checkpoint  = enginetest.Checkpoint
	consolidate = enginetest.Consolidate
	doors       = enginetest.Doors
	found       = enginetest.Found
	held        = enginetest.Held
	newGrave    = enginetest.NewGrave
	newPeople   = enginetest.NewPeople
	newPoisoned = enginetest.NewPoisoned
	number      = enginetest.Number
	open        = enginetest.Open
	pending     = enginetest.Pending
	promote     = enginetest.Promote
	readPage    = enginetest.ReadPage
	refs        = enginetest.Refs
	reject      = enginetest.Reject
	revise      = enginetest.Revise
	search      = enginetest.Search
	show        = enginetest.Show
	verify      = enginetest.Verify
	wantRefs    = enginetest.WantRefs
	write       = enginetest.Write
)
