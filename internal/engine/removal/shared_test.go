package removal_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
const (
	day   = enginetest.Day
	fewer = enginetest.Fewer
)

var (
	add         = enginetest.Add
	approve     = enginetest.Approve
	capture     = enginetest.Capture
	consolidate = enginetest.Consolidate
	isInvalid   = enginetest.IsInvalid
	live        = enginetest.Live
	mark        = enginetest.Mark
	newClock    = enginetest.NewClock
	newForger   = enginetest.NewForger
	newPeople   = enginetest.NewPeople
	open        = enginetest.Open
	promote     = enginetest.Promote
	records     = enginetest.Records
	refs        = enginetest.Refs
	reject      = enginetest.Reject
	revise      = enginetest.Revise
	search      = enginetest.Search
	shortened   = enginetest.Shortened
	show        = enginetest.Show
	take        = enginetest.Take
	trustIn     = enginetest.TrustIn
	wantRefs    = enginetest.WantRefs
	write       = enginetest.Write
)
