package standing_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	people = enginetest.People
	talk   = enginetest.Talk
)

var (
	add        = enginetest.Add
	approve    = enginetest.Approve
	capture    = enginetest.Capture
	carry      = enginetest.Carry
	check      = enginetest.Check
	isInvalid  = enginetest.IsInvalid
	lineOf     = enginetest.LineOf
	mark       = enginetest.Mark
	newForger  = enginetest.NewForger
	newPeople  = enginetest.NewPeople
	open       = enginetest.Open
	order      = enginetest.Order
	pending    = enginetest.Pending
	promote    = enginetest.Promote
	readPage   = enginetest.ReadPage
	refs       = enginetest.Refs
	reject     = enginetest.Reject
	remember   = enginetest.Remember
	resolve    = enginetest.Resolve
	revise     = enginetest.Revise
	search     = enginetest.Search
	shopTopics = enginetest.ShopTopics
	short      = enginetest.Short
	shortened  = enginetest.Shortened
	show       = enginetest.Show
	take       = enginetest.Take
	talking    = enginetest.Talking
	undo       = enginetest.Undo
	waits      = enginetest.Waits
	wantRefs   = enginetest.WantRefs
	write      = enginetest.Write
)
