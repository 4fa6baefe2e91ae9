package mind_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
var (
	about       = enginetest.About
	add         = enginetest.Add
	approve     = enginetest.Approve
	capture     = enginetest.Capture
	consolidate = enginetest.Consolidate
	isInvalid   = enginetest.IsInvalid
	mark        = enginetest.Mark
	newPeople   = enginetest.NewPeople
	number      = enginetest.Number
	onEach      = enginetest.OnEach
	open        = enginetest.Open
	promote     = enginetest.Promote
	reject      = enginetest.Reject
	remember    = enginetest.Remember
	revise      = enginetest.Revise
	shortened   = enginetest.Shortened
	show        = enginetest.Show
	write       = enginetest.Write
)
