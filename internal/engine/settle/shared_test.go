package settle_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	people = enginetest.People
	talk   = enginetest.Talk
)

var (
	add        = enginetest.Add
	capture    = enginetest.Capture
	carry      = enginetest.Carry
	check      = enginetest.Check
	lineOf     = enginetest.LineOf
	mark       = enginetest.Mark
	newForger  = enginetest.NewForger
	newPeople  = enginetest.NewPeople
	open       = enginetest.Open
	order      = enginetest.Order
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
	show       = enginetest.Show
	take       = enginetest.Take
	talking    = enginetest.Talking
	undo       = enginetest.Undo
	wantRefs   = enginetest.WantRefs
	write      = enginetest.Write
)
