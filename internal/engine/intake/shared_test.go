package intake_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type people = enginetest.People

const fewer = enginetest.Fewer

var (
	add         = enginetest.Add
	approve     = enginetest.Approve
	capture     = enginetest.Capture
	checkpoint  = enginetest.Checkpoint
	consolidate = enginetest.Consolidate
	held        = enginetest.Held
	isInvalid   = enginetest.IsInvalid
	newGrave    = enginetest.NewGrave
	newPeople   = enginetest.NewPeople
	onEach      = enginetest.OnEach
	open        = enginetest.Open
	promote     = enginetest.Promote
	refOf       = enginetest.RefOf
	reject      = enginetest.Reject
	revise      = enginetest.Revise
	show        = enginetest.Show
)
