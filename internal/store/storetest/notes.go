package storetest

import (
	"errors"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// testNotes checks that a note is stored under its name, and that of two writers who read the
// same value only one replaces it.
func testNotes(p *place) {
	ctx := p.Context()
	is := func(name, want string) {
		p.Helper()
		if got, err := p.Note(ctx, name); string(got) != want || err != nil {
			p.Errorf("Note(%q) = %q, %v, want %q", name, got, err, want)
		}
	}
	swap := func(name, old, now string, want error) {
		p.Helper()
		if err := p.SwapNote(ctx, name, []byte(old), []byte(now)); !errors.Is(err, want) {
			p.Errorf("SwapNote(%q, %.20q, %.20q) = %v, want %v", name, old, now, err, want)
		}
	}
	long := strings.Repeat(`{"it's":"long"}`, 10_000)
	is("hub/a", "")
	swap("hub/a", "", "", nil)
	swap("hub/a", "", "one", nil)
	swap("hub/a", "", "two", store.ErrConflict)
	swap("hub/a", "", "", store.ErrConflict)
	swap("hub/a", "two", "three", store.ErrConflict)
	is("hub/a", "one")
	swap("hub/a", "one", "one", nil)
	swap("hub/a", "one", long, nil)
	is("hub/a", long)
	is("hub/b", "")
	swap("hub/b", "never there", "two", store.ErrConflict)
	swap("hub/a", long, "", nil)
	is("hub/a", "")
	swap("hub/a", long, "", store.ErrConflict)
	swap("hub/a", "", "again", nil)
	is("hub/a", "again")
	swap("hub/Ä_", "", "one", nil)
	swap("hub/%", "", "one", nil)
	swap("hubs", "", "one", nil)
	for begin, want := range map[string]string{
		"hub/": "hub/% hub/a hub/Ä_", "hub": "hub/% hub/a hub/Ä_ hubs", "hub/a": "hub/a", "%": "", "store": "",
	} {
		if got, err := p.NoteNames(ctx, begin); strings.Join(got, " ") != want || err != nil {
			p.Errorf("NoteNames(%q) = %q, %v, want %q", begin, got, err, want)
		}
	}
}
