package sqlstore

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// The flags of a state. Those below hidden keep a record out of lists and
// searches; the rest say in a few bits what nearly every state has to say.
const (
	flagSuperseded = 1 << iota
	flagOutranked
	flagRejected
	flagForgotten
	flagQuarantined
	flagPurged
	flagAnyRaw
	flagReachesRaw

	hidden = flagSuperseded | flagOutranked | flagRejected | flagForgotten | flagQuarantined | flagPurged
)

// shown is the condition for records in lists and searches; the value of hidden is spelled
// out, since a statement is a constant. States that have come due pass: the reader computes
// them again. It is "less than one" because PostgreSQL, without statistics, expects an
// equation to hold for one row in two hundred, and would rather sort a whole kind than read in
// order for a page.
const shown = "(s.flags IS NULL OR s.flags & 63 < 1 OR s.due <= ?)"

// A stored state: the columns of the table.
type stored struct {
	flags int
	due   any // milliseconds, nil is never
	fold  any // the state in JSON; the id that supersedes, if the flags say all else; nil if they say all
}

// flagsOf returns the flags of a state.
func flagsOf(s *state.State) int {
	flags := 0
	for _, f := range []struct {
		set  bool
		flag int
	}{
		{!s.SupersededBy.IsZero(), flagSuperseded}, {s.Outranked, flagOutranked},
		{s.Review == state.ReviewRejected, flagRejected}, {s.Forgotten, flagForgotten},
		{s.Quarantined, flagQuarantined}, {s.Purged, flagPurged},
		{s.AnyRaw, flagAnyRaw}, {s.ReachesRaw, flagReachesRaw},
	} {
		if f.set {
			flags |= f.flag
		}
	}
	return flags
}

// encodeState returns the row for a state of r; needed is false where it is the
// state every record starts with.
func encodeState(r *memory.Record, s state.State) (row stored, needed bool, err error) {
	row.flags = flagsOf(&s)
	start := state.Initial(r)
	start.Outranked, start.AnyRaw, start.ReachesRaw = s.Outranked, s.AnyRaw, s.ReachesRaw
	if s == start {
		return row, row.flags != 0, nil
	}
	if start.SupersededBy = s.SupersededBy; s == start {
		row.fold = s.SupersededBy.String() // the most frequent case: a chain of revisions is read much faster
		return row, true, nil
	}
	text, err := json.Marshal(s)
	row.fold = string(text)
	if !s.Due.IsZero() {
		row.due = s.Due.Time().UnixMilli()
	}
	return row, true, err
}

// decodeState is the inverse. Without r only what the row itself says is known.
func decodeState(r *memory.Record, flags sql.NullInt64, fold sql.NullString) (state.State, error) {
	var s state.State
	var by memory.ID
	if fold.Valid && !strings.HasPrefix(fold.String, "{") {
		var err error
		if by, err = memory.ParseID(fold.String); err != nil {
			return s, fmt.Errorf("read a state: %w", err)
		}
	} else if fold.Valid {
		if err := json.Unmarshal([]byte(fold.String), &s); err != nil {
			return s, fmt.Errorf("read a state: %w", err)
		}
		return s, nil
	}
	if r != nil {
		s = state.Initial(r)
	}
	s.SupersededBy = by
	s.Outranked = flags.Int64&flagOutranked != 0
	s.AnyRaw = flags.Int64&flagAnyRaw != 0
	s.ReachesRaw = flags.Int64&flagReachesRaw != 0
	return s, nil
}
