// Package storetest is what every store must do: a suite that each
// implementation runs, and authors who make records for tests.
package storetest

import (
	"slices"
	"testing"
)

// part is a part of the suite.
type part struct {
	name string
	run  func(*place)
}

var parts = []part{
	{"Append", testAppend},
	{"Refused", testRefused},
	{"Expect", testExpect},
	{"Aliases", testAliases},
	{"Get", testGet},
	{"Resolve", testResolve},
	{"List", testList},
	{"ListWhileWriting", testListWhileWriting},
	{"Edges", testEdges},
	{"WrongKind", testWrongKind},
	{"Match", testMatch},
	{"Ranking", testRanking},
	{"Marks", testMarks},
	{"Decided", testDecided},
	{"Local", testLocal},
	{"Notes", testNotes},
	{"Nearest", testNearest},
	{"Since", testSince},
	{"Stats", testStats},
	{"Processed", testProcessed},
	{"Done", testDone},
	{"Concurrent", testConcurrent},
	{"Race", testRace},
	{"Clock", testClock},
	{"ClockOfRivals", testClockOfRivals},
	{"Context", testContext},
	{"Tree", testTree},
	{"Held", testHeld},
	{"Came", testCame},
	{"Keeper", testKeeper},
	{"Keys", testKeys},
	{"Purge", testPurge},
	{"PurgeObeyed", testPurgeObeyed},
	{"PurgeRefused", testPurgeRefused},
	{"PurgeRests", testPurgeRests},
	{"Jobs", testJobs},
	{"ManyHands", testManyHands},
	{"Counts", testCounts},
	{"Try", testTry},
}

// partsOfMany go through many cases, one after the other.
var partsOfMany = []part{
	{"LateKnown", testLateKnown},
	{"Late", testLate},
	{"Crowd", testCrowd},
	{"Large", testLarge},
	{"PurgeCrowd", testPurgeCrowd},
	{"Model", testModel},
	{"ModelAgain", testModelAgain},
}

// Run runs the suite without its parts of many cases, which RunMany runs. Each part
// gets a store of its own, which must be healthy afterwards. Parts that ask for what
// such a store never does are left out by name.
func Run(t *testing.T, open Opener, but ...string) { run(t, parts, open, but) }

// RunMany runs the parts of many cases. Call it from a file that is built without
// the race detector: the detector finds nothing there and takes ten times as long.
func RunMany(t *testing.T, open Opener) { run(t, partsOfMany, open, nil) }

func run(t *testing.T, parts []part, open Opener, but []string) {
	for _, part := range parts {
		if slices.Contains(but, part.name) {
			continue
		}
		t.Run(part.name, func(t *testing.T) {
			p := newPlace(t, open)
			part.run(p)
			p.healthy()
		})
	}
}
