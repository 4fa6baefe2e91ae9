package audit

import (
	"fmt"
	"github.com/stemma-memory/stemma/audit/report"
	"slices"
	"strings"
	"time"
)

// horizon says up to where a history that was written again would show, and who
// would show it.
func horizon(logs []report.LogFinding) string {
	var held []string
	own, best := 0, make(map[string]report.LogFinding)
	for _, l := range logs {
		if l.Status != report.LogOK {
			continue
		}
		outside := slices.ContainsFunc(l.Signed, func(h report.Holder) bool { return h.Outside })
		if !outside {
			own++
		} else if b, has := best[l.Space]; !has || l.Size > b.Size {
			best[l.Space] = l
		}
	}
	for _, l := range logs {
		if b, is := best[l.Space]; is {
			held = append(
				held,
				fmt.Sprintf("tamper-evident up to record %d of %s, held by %s", b.Size, l.Space, holders(b.Signed)),
			)
			delete(best, l.Space)
		}
	}
	switch {
	case len(held) > 0:
		return strings.Join(held, "; ")
	case own > 0:
		return "its checkpoints are signed by its own keys alone, and nobody else holds one: the holder of the keys " +
			"could have rewritten this history"
	}
	return "nobody else holds a checkpoint: records may be missing, and the holder of the keys could have " +
		"rewritten this history"
}

func holders(signed []report.Holder) string {
	var names []string
	for _, h := range signed {
		if !h.Outside {
			continue
		}
		name := h.Name
		if !h.At.IsZero() {
			name += " at " + h.At.Format(time.RFC3339)
		}
		names = append(names, name)
	}
	return strings.Join(names, " and ")
}
