package receipts_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
type people = enginetest.People

var (
	capture   = enginetest.Capture
	isInvalid = enginetest.IsInvalid
	newPeople = enginetest.NewPeople
	open      = enginetest.Open
	receipts  = enginetest.Receipts
	replay    = enginetest.Replay
	search    = enginetest.Search
	trustIn   = enginetest.TrustIn
	write     = enginetest.Write
)
