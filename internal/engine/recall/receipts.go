package recall

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/receipts"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/pack"
)

// receipt stores what a search returned and returns the receipt's name.
func (e *Finder) receipt(
	in api.SearchRequest, reply api.SearchReply, all []*standing.Found, withheld []api.Withheld,
) string {
	if !e.receipts.KeepsReceipts() {
		return ""
	}
	query := in.Query
	if in.Like != "" {
		query = "like " + in.Like
	}
	r := e.receipts.NewReceipt("search", query, in)
	r.Embedder, r.Warnings = reply.Embedder, reply.Warnings
	byRef := make(map[string]*standing.Found, len(all))
	for _, f := range all {
		byRef[f.Ref.String()] = f
	}
	results := slices.Clone(reply.Results) // the caller may change theirs
	r.Withheld = withheld
	return e.receipts.Keep(r, func() {
		for _, x := range results {
			if f := byRef[x.Ref]; f != nil && x.Remote == "" {
				r.Results = append(r.Results, receipts.Receipted(x.Rank, f.Shown()))
				continue
			}
			r.Results = append(
				r.Results,
				api.Receipted{
					Rank: x.Rank, Ref: x.Ref, Text: receipts.ReceiptLine(x.Text), Score: x.Score,
					Factors: x.Factors, Tier: x.Tier, Signature: "none", Remote: x.Remote,
					External: x.Remote != "" || x.Tainted,
				},
			)
		}
	})
}

// What a receipt keeps of the request of a pack: it was chosen for a format.
type (
	askedContext struct {
		api.ContextRequest
		Format string `json:"format,omitempty"`
	}
	askedLoad struct {
		api.LoadRequest
		Format string `json:"format,omitempty"`
	}
)

// receiptOfPack keeps what a pack showed.
func (e *Finder) receiptOfPack(rd *trust.Reading, op, query string, in any, made *madePack) {
	if e.receipts.KeepsReceipts() {
		r, given := e.receipts.NewReceipt(op, query, in), made.given()
		r.Withheld = e.receipts.Withheld(rd, made.hid, made.left())
		e.receipts.Keep(r, func() {
			e.receipts.MarkExternal(given)
			for i, one := range given {
				r.Results = append(r.Results, receipts.Receipted(i+1, one))
			}
		})
	}
}

// left says how many memories a pack left out, and why; the rest of the store, which is not about the work, is not
// counted.
func (r *madePack) left() (out []api.Withheld) {
	for _, o := range r.page.Left {
		if o.Reason != pack.LessRelevant && o.Reason != "older" {
			out = append(out, api.Withheld{Reason: strings.TrimPrefix(o.Section+": "+o.Reason, ": "), Count: o.Count})
		}
	}
	if r.held > 0 {
		out = append(out, api.Withheld{Reason: "held back after outside words until a person decides", Count: r.held})
	}
	return out
}

// given returns what a pack shows, in its order.
func (r *madePack) given() []receipts.Shown {
	byRef := make(map[string]*standing.Found, len(r.from))
	for _, f := range r.from {
		byRef[f.Ref.Short()] = f
	}
	var out []receipts.Shown
	for _, ref := range r.page.Shown {
		if f := byRef[ref]; f != nil {
			out = append(out, f.Shown())
		}
	}
	return out
}
