package recall_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type people = enginetest.People

const (
	everyKind = enginetest.EveryKind
	fewer     = enginetest.Fewer
)

var (
	about        = enginetest.About
	add          = enginetest.Add
	approve      = enginetest.Approve
	capture      = enginetest.Capture
	carry        = enginetest.Carry
	consolidate  = enginetest.Consolidate
	contextOf    = enginetest.ContextOf
	foreigners   = enginetest.Foreigners
	found        = enginetest.Found
	isInvalid    = enginetest.IsInvalid
	lineOf       = enginetest.LineOf
	loadOf       = enginetest.LoadOf
	many         = enginetest.Many
	mark         = enginetest.Mark
	newForger    = enginetest.NewForger
	newPeople    = enginetest.NewPeople
	newRepo      = enginetest.NewRepo
	number       = enginetest.Number
	onEach       = enginetest.OnEach
	open         = enginetest.Open
	order        = enginetest.Order
	promote      = enginetest.Promote
	readPage     = enginetest.ReadPage
	receipts     = enginetest.Receipts
	refs         = enginetest.Refs
	reject       = enginetest.Reject
	remember     = enginetest.Remember
	replay       = enginetest.Replay
	revise       = enginetest.Revise
	search       = enginetest.Search
	short        = enginetest.Short
	shortened    = enginetest.Shortened
	show         = enginetest.Show
	stores       = enginetest.Stores
	take         = enginetest.Take
	talking      = enginetest.Talking
	textsOf      = enginetest.TextsOf
	trustIn      = enginetest.TrustIn
	verify       = enginetest.Verify
	wantRefs     = enginetest.WantRefs
	wantShort    = enginetest.WantShort
	withReceipts = enginetest.WithReceipts
	write        = enginetest.Write
)
