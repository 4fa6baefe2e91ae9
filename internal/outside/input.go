package outside

import (
	"encoding/json"
	"slices"
	"strings"
)

// addressesOf are the addresses that a tool was given: members that are one as a whole, and those in the words
// of a member that is made for them.
func addressesOf(input map[string]json.RawMessage) []string {
	var out []string
	var gather func(name string, v any, deep int)
	gather = func(name string, v any, deep int) {
		switch v := v.(type) {
		case string:
			lower := strings.ToLower(name)
			named := strings.Contains(lower, "url") || strings.Contains(lower, "uri") || lower == "href" || lower == "address"
			switch {
			case hasScheme(strings.TrimSpace(v)) && !strings.ContainsAny(strings.TrimSpace(v), " \n"):
				out = append(out, strings.TrimSpace(v))
			case named && addressLike(v):
				out = append(out, v)
			case lower == "prompt" || lower == "query" || named:
				out = append(out, addressesIn(v)...)
			}
		case []any:
			for _, one := range v {
				if deep < 5 {
					gather(name, one, deep+1)
				}
			}
		case map[string]any:
			for k, one := range v {
				if deep < 5 {
					gather(k, one, deep+1)
				}
			}
		}
	}
	var names []string
	for name := range input {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var v any
		if json.Unmarshal(input[name], &v) == nil {
			gather(name, v, 0)
		}
	}
	return out
}

// text is the first of some members that is a string and not empty, or a list of words.
func text(input map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(input[name], &s) == nil && s != "" {
			return s
		}
		var number json.Number
		if json.Unmarshal(input[name], &number) == nil && number != "" {
			return number.String()
		}
		var list []string
		if json.Unmarshal(input[name], &list) == nil && len(list) > 0 {
			quoted := make([]string, len(list))
			for i, w := range list {
				quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
			}
			return strings.Join(quoted, " ")
		}
	}
	return ""
}
