package keyring_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
var (
	add         = enginetest.Add
	capture     = enginetest.Capture
	isInvalid   = enginetest.IsInvalid
	newForger   = enginetest.NewForger
	newPeople   = enginetest.NewPeople
	newWorkshop = enginetest.NewWorkshop
	open        = enginetest.Open
	promote     = enginetest.Promote
	records     = enginetest.Records
	refOf       = enginetest.RefOf
	take        = enginetest.Take
	trustIn     = enginetest.TrustIn
)
