package folder_test

import "github.com/stemma-memory/stemma/internal/engine/enginetest"

// What the tests here use of those that all rooms share, by short names.
var (
	add         = enginetest.Add
	capture     = enginetest.Capture
	consolidate = enginetest.Consolidate
	onEach      = enginetest.OnEach
	open        = enginetest.Open
	revise      = enginetest.Revise
)
