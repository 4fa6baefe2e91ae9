package views_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	repo     = enginetest.Repo
	workshop = enginetest.Workshop
)

const (
	otherCode = enginetest.OtherCode
	storeCode = enginetest.StoreCode
)

var (
	add         = enginetest.Add
	capture     = enginetest.Capture
	carry       = enginetest.Carry
	consolidate = enginetest.Consolidate
	isInvalid   = enginetest.IsInvalid
	newForger   = enginetest.NewForger
	newPeople   = enginetest.NewPeople
	newWorkshop = enginetest.NewWorkshop
	number      = enginetest.Number
	onEach      = enginetest.OnEach
	open        = enginetest.Open
	promote     = enginetest.Promote
	readPage    = enginetest.ReadPage
	refOf       = enginetest.RefOf
	reject      = enginetest.Reject
	shortRef    = enginetest.ShortRef
	shortened   = enginetest.Shortened
	show        = enginetest.Show
	take        = enginetest.Take
	talking     = enginetest.Talking
	traced      = enginetest.Traced
	trustIn     = enginetest.TrustIn
	undo        = enginetest.Undo
	verify      = enginetest.Verify
	wantShort   = enginetest.WantShort
	write       = enginetest.Write
)
