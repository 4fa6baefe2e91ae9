package exchange_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type (
	people = enginetest.People
	team   = enginetest.Team
)

var (
	add       = enginetest.Add
	capture   = enginetest.Capture
	currentIn = enginetest.CurrentIn
	isInvalid = enginetest.IsInvalid
	meeting   = enginetest.Meeting
	newForger = enginetest.NewForger
	newPeople = enginetest.NewPeople
	newTeam   = enginetest.NewTeam
	open      = enginetest.Open
	problems  = enginetest.Problems
	refOf     = enginetest.RefOf
	revise    = enginetest.Revise
	search    = enginetest.Search
	show      = enginetest.Show
	syncs     = enginetest.Syncs
	take      = enginetest.Take
	trustIn   = enginetest.TrustIn
	write     = enginetest.Write
)
