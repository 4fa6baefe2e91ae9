package ownwords

import (
	"encoding/json"
	"slices"
	"strings"
)

// Marked returns whose words a payload says that its prompt is, and whether it says so. Members are those of
// the object that a host hands to a hook or writes down.
func Marked(host string, members map[string]json.RawMessage) (Voice, bool) {
	for _, m := range marksOf[host] {
		value, there := lookUp(members, strings.Split(m.member, "."))
		if !there {
			continue
		}
		one := func(of []string) bool {
			return slices.ContainsFunc(of, func(is string) bool {
				head, open := strings.CutSuffix(is, "*")
				return value == is || open && strings.HasPrefix(value, head)
			})
		}
		if (m.is == nil || one(m.is)) && !one(m.not) {
			return m.by, true
		}
	}
	return Person, false
}

// lookUp returns a member of a member; nothing and the empty string are not there.
func lookUp(members map[string]json.RawMessage, path []string) (string, bool) {
	raw := members[path[0]]
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		return "", false
	}
	if len(path) > 1 {
		var inner map[string]json.RawMessage
		if json.Unmarshal(raw, &inner) != nil {
			return "", false
		}
		return lookUp(inner, path[1:])
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, true
	}
	return string(raw), true
}
