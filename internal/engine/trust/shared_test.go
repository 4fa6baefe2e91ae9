package trust_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	forger = enginetest.Forger
	people = enginetest.People
)

const fewer = enginetest.Fewer

var (
	add         = enginetest.Add
	capture     = enginetest.Capture
	check       = enginetest.Check
	consolidate = enginetest.Consolidate
	isInvalid   = enginetest.IsInvalid
	many        = enginetest.Many
	newClock    = enginetest.NewClock
	newForger   = enginetest.NewForger
	newPeople   = enginetest.NewPeople
	newWorkshop = enginetest.NewWorkshop
	open        = enginetest.Open
	promote     = enginetest.Promote
	records     = enginetest.Records
	refOf       = enginetest.RefOf
	reject      = enginetest.Reject
	revise      = enginetest.Revise
	search      = enginetest.Search
	shopTopics  = enginetest.ShopTopics
	short       = enginetest.Short
	stores      = enginetest.Stores
	take        = enginetest.Take
	trustIn     = enginetest.TrustIn
	undo        = enginetest.Undo
	write       = enginetest.Write
)
