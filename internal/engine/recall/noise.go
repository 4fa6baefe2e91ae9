package recall

import (
	"encoding/json"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// emptyResult is why a capture is left out of a pack in which nothing stands.
const emptyResult = "empty result"

// mostNoise is longer than any result that says nothing, in bytes.
const mostNoise = 1 << 10

// nothings are what tools say when they have nothing to give.
var nothings = []string{
	"no matches found", "no matches", "no files found", "no results", "no results found", "(no output)", "no output",
	"(no content)", "(empty)", "<empty>", "none", "null", "undefined", "ok", "done", "true", "success",
	"tool ran without output or errors", "bash completed with no output",
}

// saysNothing reports whether a capture is of a tool that gave nothing, or listed tools. It is stored and
// found, but takes no room in a pack.
func saysNothing(r *memory.Record) bool {
	raw, ok := r.Body.(*memory.Raw)
	if !ok || len(raw.Text) > mostNoise {
		return false
	}
	text := strings.TrimSpace(raw.Text)
	switch raw.Event {
	case "tool_call":
		name, _, _ := strings.Cut(text, ":")
		return strings.EqualFold(name, "ToolSearch") || strings.EqualFold(name, "tool_search")
	case "tool_output":
		low := strings.ToLower(strings.TrimRight(text, ".!"))
		for _, n := range nothings {
			if low == n {
				return true
			}
		}
		var v any
		return text == "" || (text[0] == '{' || text[0] == '[') && json.Unmarshal([]byte(text), &v) == nil && isEmpty(v)
	}
	return false
}

// isEmpty reports whether a value holds nothing: no words, no numbers but zero.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		for _, one := range v {
			if !isEmpty(one) {
				return false
			}
		}
	case map[string]any:
		for _, one := range v {
			if !isEmpty(one) {
				return false
			}
		}
	}
	return true
}
