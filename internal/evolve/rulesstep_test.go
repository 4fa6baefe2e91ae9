package evolve_test

import (
	"testing"

	. "github.com/stemma-memory/stemma/internal/evolve"
	"github.com/stemma-memory/stemma/memory"
)

// Each rule with what it must find and what it must leave alone.
func TestStepsPartsAndAdditions(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"The site is built with Hugo 0.119.", "The site is built with Hugo 0.125.", memory.Update},
		{"The site is built with Hugo 0.125.", "The site is built with Hugo 0.119.", memory.Contradict},
		{"The agent listens on port 8081.", "The agent listens on port 9081.", memory.Contradict},
		{"The kitten weighed 1 kilo.", "The kitten weighs 3 kilos.", memory.Update},
		{"The crate weighs 21 kilos.", "The crate weighed 23 kilos.", memory.Contradict},
		{"The audit has not been started.", "The audit started in May.", memory.Update},
		{"The ticket INF-20 is blocked by a licence.", "INF-20 is ready for review.", memory.Update},
		{"The museum is open on Sundays.", "The museum is closed on Sundays.", memory.Contradict},
		{"The weekly build is red.", "The weekly build is green.", memory.Update},
		{"The gate is red.", "The gate is green.", memory.Contradict},
		{"The function loadKeys is defined in keys/io.go.", "loadKeys moved to store/keys.go.", memory.Update},
		{"The table is in the hall.", "The chair was moved to the garage.", "none"},
		{"Mail runs on the old box, chat runs on the new box.", "Mail no longer runs on the old box.", memory.Update},
		{"Mail runs on the old box.", "Chat no longer runs on the old box.", "none"},
		{"Nils no longer eats sugar.", "Nils has stopped eating sugar.", "none"},
		{"Tokens are signed with RSA.", "Tokens are signed with Ed25519 instead of RSA.", memory.Update},
		{"Doors close at 19:00.", "New times: doors close at 18:30.", memory.Update},
		{"The first verse is sad.", "The last verse is happy.", "none"},
		{"Heating was 700 in 2018.", "Heating was 910 in 2021.", "none"},
		{"Mara was born in 1971.", "Mara was born in 1974.", memory.Contradict},
		{"Turnout was 40 on Friday.", "Turnout was 90 on Sunday.", "none"},
		{"The shelf is 90 cm wide.", "The shelf is 210 cm high.", "none"},
		{"The shelf is 90 cm wide.", "The shelf is 95 cm wide.", memory.Contradict},
		{"The broker's timeout is 20 seconds.", "The smoke test of the broker is quick now.", "none"},
		{"Exports run every night.", "Exports run every night at 02:15.", memory.Extend},
		{"We use gRPC.", "We use gRPC because clients are in four languages.", memory.Extend},
		{"Carla knows Go.", "Carla also knows Rust.", "none"},
		{"Exports run every night.", "Exports no longer run every night.", memory.Update},
		{"Guests may park here.", "Guests may park here only on Sundays.", memory.Contradict},
	} {
		got := "none"
		if r := Rules(Memory{Text: tt.new}, []Memory{{Text: tt.old}}); r != nil {
			got = r.Type
		}
		if got != tt.want {
			t.Errorf("%q → %q: %s, want %s", tt.old, tt.new, got, tt.want)
		}
	}
}

// Among several old memories that is told which has most in common with the new one, and what extends comes last.
func TestTheNearestOfSeveral(t *testing.T) {
	old := []Memory{
		{Text: "Backups are kept on the NAS."}, {Text: "The load test of the indexer fails."},
		{Text: "The indexer's timeout is 30 seconds."},
	}
	r := Rules(Memory{Text: "The load test of the indexer passes now."}, old)
	if r == nil || r.Candidate != 1 || r.Type != memory.Update {
		t.Errorf("%+v, want an update of the second", r)
	}
	old = append(old, Memory{Text: "Backups are kept on tape."})
	r = Rules(Memory{Text: "Backups are kept on the NAS in the cellar."}, old)
	if r == nil || r.Type == memory.Extend {
		t.Errorf("%+v, want what contradicts before what extends", r)
	}
}
