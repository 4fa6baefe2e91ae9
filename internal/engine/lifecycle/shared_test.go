package lifecycle_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	people = enginetest.People
	talk   = enginetest.Talk
)

const day = enginetest.Day

var (
	add          = enginetest.Add
	approve      = enginetest.Approve
	capture      = enginetest.Capture
	carry        = enginetest.Carry
	consolidate  = enginetest.Consolidate
	foreigners   = enginetest.Foreigners
	isInvalid    = enginetest.IsInvalid
	live         = enginetest.Live
	many         = enginetest.Many
	mark         = enginetest.Mark
	meeting      = enginetest.Meeting
	newClock     = enginetest.NewClock
	newForger    = enginetest.NewForger
	newPeople    = enginetest.NewPeople
	newRepo      = enginetest.NewRepo
	number       = enginetest.Number
	onEach       = enginetest.OnEach
	open         = enginetest.Open
	order        = enginetest.Order
	pending      = enginetest.Pending
	promote      = enginetest.Promote
	receipts     = enginetest.Receipts
	refOf        = enginetest.RefOf
	refs         = enginetest.Refs
	reject       = enginetest.Reject
	remember     = enginetest.Remember
	resolve      = enginetest.Resolve
	revise       = enginetest.Revise
	search       = enginetest.Search
	short        = enginetest.Short
	shortened    = enginetest.Shortened
	show         = enginetest.Show
	stores       = enginetest.Stores
	syncs        = enginetest.Syncs
	take         = enginetest.Take
	talking      = enginetest.Talking
	textsOf      = enginetest.TextsOf
	trustIn      = enginetest.TrustIn
	undo         = enginetest.Undo
	waits        = enginetest.Waits
	wantRefs     = enginetest.WantRefs
	withReceipts = enginetest.WithReceipts
	write        = enginetest.Write
)
