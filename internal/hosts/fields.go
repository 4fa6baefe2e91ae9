package hosts

import "encoding/json"

// fields are the members of a JSON object.
type fields map[string]json.RawMessage

// text returns the first of some members that is a string and not empty.
func (f fields) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(f[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// there reports whether a member has a value.
func there(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }
