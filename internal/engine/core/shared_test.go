package core_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type people = enginetest.People

const (
	everyKind = enginetest.EveryKind
	fewer     = enginetest.Fewer
)

var (
	add          = enginetest.Add
	approve      = enginetest.Approve
	capture      = enginetest.Capture
	carry        = enginetest.Carry
	correct      = enginetest.Correct
	currentIn    = enginetest.CurrentIn
	newPeople    = enginetest.NewPeople
	newTeam      = enginetest.NewTeam
	onEach       = enginetest.OnEach
	open         = enginetest.Open
	revise       = enginetest.Revise
	search       = enginetest.Search
	show         = enginetest.Show
	trustIn      = enginetest.TrustIn
	wantRefs     = enginetest.WantRefs
	withReceipts = enginetest.WithReceipts
)
