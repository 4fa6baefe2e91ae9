package hosts

import (
	"encoding/json"
	"slices"
	"strings"
)

// Allow says which tools of stemma a host lets its agent call without a question to the
// person. A host's own questions are loosened only where a person asks for it.
type Allow string

// What there is to allow; "" leaves the host as it is.
const (
	AllowReads Allow = "reads" // the tools that change nothing
	AllowAll   Allow = "all"
)

// ReadTools are the tools in the short list that change nothing.
var ReadTools = []string{"recall", "why", "recent", "status"}

// Allows returns what can be allowed in a host's own files.
func Allows(host string) []Allow {
	switch host {
	case ClaudeCode, Codex, Qwen:
		return []Allow{AllowReads, AllowAll}
	case Gemini:
		return []Allow{AllowAll}
	}
	return nil
}

const ruleOfAll = "mcp__" + serverName

func ruleOf(tool string) string { return ruleOfAll + "__" + tool }

// rules are the entries for a host's list of what is allowed.
func (p Place) rules() []string {
	switch p.Allow {
	case AllowAll:
		return []string{ruleOfAll}
	case AllowReads:
		var out []string
		for _, tool := range ReadTools {
			out = append(out, ruleOf(tool))
		}
		return out
	}
	return nil
}

// isRule reports whether an entry of such a list is one that rules writes.
func isRule(s string) bool {
	if s == ruleOfAll {
		return true
	}
	for _, tool := range ReadTools {
		if s == ruleOf(tool) {
			return true
		}
	}
	return false
}

// codexModes are Codex's words for what it does not ask about.
var codexModes = map[Allow]string{AllowReads: "writes", AllowAll: "approve"}

const codexMode = "default_tools_approval_mode = "

// Allowed returns what a host's files allow already.
func (p Place) Allowed(host string) (Allow, error) {
	list, _, err := p.targets(host)
	if err != nil {
		return "", err
	}
	for _, t := range list {
		c, err := read(t)
		if err != nil || c.Old == nil {
			continue // Plan says what is wrong
		}
		if a := allowedIn(t.editor, string(c.Old)); a != "" {
			return a, nil
		}
	}
	return "", nil
}

func allowedIn(e editor, text string) Allow {
	switch e := e.(type) {
	case block:
		start, end, _, err := e.find(text)
		if err != nil || start < 0 {
			return ""
		}
		for a, mode := range codexModes {
			if strings.Contains(text[start:end], codexMode+`"`+mode+`"`) {
				return a
			}
		}
	case entries:
		root, _ := parseJSONC(text)
		server := root
		for _, name := range append(e.servers[:len(e.servers):len(e.servers)], serverName) {
			server = server.get(name)
		}
		if trust := server.get("trust"); trust != nil && text[trust.start:trust.end] == "true" {
			return AllowAll
		}
		found := Allow("")
		for _, rule := range e.ownRules(text, root) {
			if rule == ruleOfAll {
				return AllowAll
			}
			found = AllowReads
		}
		return found
	}
	return ""
}

const permissions, allowList = "permissions", "allow"

// ownRules are our rules in a file's list of what is allowed.
func (e entries) ownRules(text string, root *node) []string {
	var out []string
	list := root.get(permissions).get(allowList)
	if list == nil {
		return nil
	}
	for _, item := range list.items {
		if s := stringAt(text, item); isRule(s) {
			out = append(out, s)
		}
	}
	return out
}

func stringAt(text string, n *node) string {
	var s string
	if n.kind != '"' || json.Unmarshal([]byte(text[n.start:n.end]), &s) != nil {
		return ""
	}
	return s
}

// putRules puts the rules that are wanted in the place of those that are there.
func (e entries) putRules(text string) (string, error) {
	root, err := parseJSONC(text)
	if err != nil || len(e.allow) == 0 || slices.Equal(e.ownRules(text, root), e.allow) {
		return text, err
	}
	if text, err = e.takeRules(text); err != nil {
		return "", err
	}
	for _, rule := range e.allow {
		if text, err = addItem(text, []string{permissions}, allowList, rule); err != nil {
			return "", err
		}
	}
	return text, nil
}

// takeRules takes our rules out, one at a time.
func (e entries) takeRules(text string) (string, error) {
	for {
		root, err := parseJSONC(text)
		if err != nil {
			return "", err
		}
		list := root.get(permissions).get(allowList)
		if list == nil {
			return text, nil
		}
		i := slices.IndexFunc(list.items, func(n *node) bool { return isRule(stringAt(text, n)) })
		if i < 0 {
			return text, nil
		}
		text = e.prune(removeItem(text, list, i), []string{permissions, allowList})
	}
}
