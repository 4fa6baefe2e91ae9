package receipts

import (
	"encoding/json"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// Asked returns the last questions that agents asked of this store, each once, the newest first.
func (e *Journal) Asked(most int) (all []string) {
	if e.C.Receipts == "" {
		return nil
	}
	e.Given.Wait()
	had := make(map[string]bool)
	for line, err := range e.Given.all() {
		var r api.Receipt
		if err != nil || json.Unmarshal(line.JSON, &r) != nil || !e.Given.mine(&r, line.old) {
			continue
		}
		q := strings.Join(strings.Fields(r.Query), " ")
		if same := strings.ToLower(q); q != "" && !had[same] {
			had[same] = true
			if all = append(all, q); len(all) == most {
				break
			}
		}
	}
	return all
}
