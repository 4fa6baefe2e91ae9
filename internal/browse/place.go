package browse

import (
	"context"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/plain"
)

// Asker answers what the screen shows. An engine does.
type Asker interface {
	List(context.Context, api.ListRequest) (api.ListReply, error)
	Search(context.Context, api.SearchRequest) (api.SearchReply, error)
	Review(context.Context, api.KindRequest) (api.ReviewReply, error)
	Show(context.Context, api.RefRequest) (api.ShowReply, error)
	Trace(context.Context, api.TraceRequest) (api.TraceReply, error)
	Evidence(context.Context, api.RefRequest) (api.EvidenceReply, error)
	Trust(context.Context, api.RefRequest) (api.TrustReply, error)
	History(context.Context, api.RefRequest) (api.HistoryReply, error)
	ConfidenceHistory(context.Context, api.RefRequest) (api.ConfidenceHistoryReply, error)
	Approve(context.Context, api.DecideRequest) (api.DecideReply, error)
	Reject(context.Context, api.DecideRequest) (api.DecideReply, error)
}

// A place is something that fills the screen and can be come back to.
type place interface {
	title() string
	load(context.Context, Asker) error
	draw(width int) []row
	// about says more of the selected row.
	about(r row) string
	sits() *seat
}

// A seat is where in a place one stands. Its rows are drawn again when they were
// dropped, or the screen has another width.
type seat struct {
	selected, top int
	rows          []row
	width         int
	heads         int  // how many rows stand above the first to select, if one below them can be
	stale         bool // the rows are not true any more
}

func (s *seat) sits() *seat { return s }
func (s *seat) drop()       { s.stale = true }

// A row is one line of a place.
type row struct {
	pieces []piece
	ref    string  // the record it stands for, opened with enter
	branch *branch // in a tree
	below  bool    // it belongs to the row above
}

func (r *row) selectable() bool { return r.ref != "" || r.branch != nil }

// plainRow is a row of one piece.
func plainRow(style, text string) row { return row{pieces: []piece{{style, text}}} }

// paragraph returns words of a memory as rows, and no more than most of them.
func paragraph(style, s string, width, most int) []row {
	var out []row
	for i, l := range plain.Lines(s, width) {
		if i == most {
			return append(out, plainRow(dim, "… (5 shows all)"))
		}
		out = append(out, plainRow(style, l))
	}
	return out
}

// nearest finds the row to select where the one that was is no more.
func nearest(rows []row, at int) int {
	at = min(at, len(rows)-1)
	for d := range len(rows) {
		for _, i := range []int{at - d, at + d} {
			if i >= 0 && i < len(rows) && rows[i].selectable() {
				return i
			}
		}
	}
	return -1
}

// refound finds a row among new ones: itself, what it hung under, or what is
// nearest to where it was.
func refound(rows []row, old row, at int) int {
	for b := old.branch; b != nil; b = b.parent {
		for i, r := range rows {
			if r.branch == b {
				return i
			}
		}
	}
	for i, r := range rows {
		if r.ref == old.ref && (r.branch == nil) == (old.branch == nil) {
			return i
		}
	}
	return nearest(rows, at)
}
