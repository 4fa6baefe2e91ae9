package extract

import (
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

// A summary that is cut is whole in the body, whether there was one or not.
func TestACutSummaryIsInTheBody(t *testing.T) {
	long := strings.Repeat("every word is needed ", 40) + "to the last"
	for _, body := range []string{"", "more about it", long + " and on"} {
		d := Draft{Kind: memory.KindNote, Text: long, Body: body, Type: "decision"}
		if !d.fit() || !strings.HasPrefix(d.Body, long) || !strings.HasSuffix(d.Body, body) ||
			!strings.HasSuffix(d.Text, "…") {
			t.Errorf("body %q: %+v", body, d)
		}
	}
}
