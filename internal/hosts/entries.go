package hosts

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// An editor puts what is ours into a file's text, and takes it out again. Both leave
// everything else as it is, byte for byte.
type editor interface {
	put(text string) (string, error)
	take(text string) (string, error)
	shared(text string) bool // something of ours is left, for another host
	empty(text string) bool  // nothing is left that somebody would miss
}

// entries are members of ours in a file of JSON.
type entries struct {
	host    string
	servers []string // path to the object of MCP servers; none where the file has none
	server  any
	hooks   []hook   // in their order
	nested  bool     // a hook is in a group, with a matcher
	allow   []string // rules for permissions.allow
	head    []pair   // members that the host wants at the beginning of a new file
}

// A hook is a command that a host runs at an event.
type hook struct {
	event   string
	command string
	extra   []pair // members of the command's object beside it
	matcher string
}

const serverName = "stemma"

func (e entries) put(text string) (string, error) {
	if _, err := parseJSONC(text); err != nil {
		return "", err
	}
	var err error
	if root, _ := parseJSONC(text); root == nil || len(root.members) == 0 {
		for _, p := range e.head {
			if text, err = setMember(text, nil, p.name, p.value); err != nil {
				return "", err
			}
		}
	}
	if e.servers != nil {
		if text, err = e.putServer(text); err != nil {
			return "", err
		}
	}
	if len(e.hooks) > 0 && !e.hooksAreThere(text) {
		if text, err = e.takeHooks(text); err != nil {
			return "", err
		}
		for _, h := range e.hooks {
			if text, err = addItem(text, []string{"hooks"}, h.event, h.entry(e.nested)); err != nil {
				return "", err
			}
		}
	}
	if text, err = e.putRules(text); err != nil {
		return "", err
	}
	if _, err := parseJSONC(text); err != nil {
		return "", fmt.Errorf("with our members it would be no JSON: %w", err)
	}
	return text, nil
}

// putServer puts the MCP server in place. One of that name that somebody wrote in
// another way than we do is left as it is.
func (e entries) putServer(text string) (string, error) {
	root, _ := parseJSONC(text)
	old := root
	for _, name := range append(slices.Clone(e.servers), serverName) {
		old = old.get(name)
	}
	if old != nil && (sameValue(text, old, e.server) || !e.plainServer(text, old)) {
		return text, nil
	}
	return setMember(text, e.servers, serverName, e.server)
}

// plainServer reports whether a server's members are those that we write.
func (e entries) plainServer(text string, n *node) bool {
	var ours map[string]any
	raw, err := json.Marshal(e.server)
	if err != nil || json.Unmarshal(raw, &ours) != nil {
		return false
	}
	for _, m := range n.members {
		if _, ok := ours[m.name]; !ok {
			return false
		}
	}
	return runsStemma(text, n)
}

// runsStemma reports whether a server's command is ours.
func runsStemma(text string, n *node) bool {
	command := n.get("command")
	if command == nil {
		return false
	}
	if command.kind == '[' && len(command.items) > 0 {
		command = command.items[0]
	}
	var s string
	if json.Unmarshal([]byte(text[command.start:command.end]), &s) != nil {
		return false
	}
	base := path.Base(strings.ReplaceAll(s, `\`, "/"))
	return strings.TrimSuffix(base, ".exe") == serverName
}

// entry is a hook as it stands in a list.
func (h hook) entry(nested bool) any {
	one := object{}
	if nested {
		one = append(one, pair{"type", "command"})
	}
	one = append(append(one, pair{"command", h.command}), h.extra...)
	if !nested {
		return one
	}
	group := object{}
	if h.matcher != "" {
		group = append(group, pair{"matcher", h.matcher})
	}
	return append(group, pair{"hooks", []any{one}})
}

// isOurs reports whether a command is a hook of ours for the host.
func (e entries) isOurs(text string, n *node) bool {
	c := n.get("command")
	if c == nil || c.kind != '"' {
		return false
	}
	var s string
	if json.Unmarshal([]byte(text[c.start:c.end]), &s) != nil {
		return false
	}
	return strings.Contains(s, serverName) && strings.Contains(s, " hook run "+e.host+" ")
}

// hooksAreThere reports whether each hook stands in its list once, as we write it.
func (e entries) hooksAreThere(text string) bool {
	root, _ := parseJSONC(text)
	on := root.get("hooks")
	if on == nil {
		return false
	}
	found := 0
	for _, m := range on.members {
		for _, item := range m.value.items {
			ours := e.isOurs(text, item)
			if inner := item.get("hooks"); inner != nil {
				ours = slices.ContainsFunc(inner.items, func(n *node) bool { return e.isOurs(text, n) })
			}
			if !ours {
				continue
			}
			if !slices.ContainsFunc(e.hooks, func(h hook) bool {
				return h.event == m.name &&
					sameValue(text, item, h.entry(e.nested))
			}) {
				return false
			}
			found++
		}
	}
	return found == len(e.hooks)
}

func (e entries) take(text string) (string, error) {
	root, err := parseJSONC(text)
	if err != nil || root == nil {
		return text, err
	}
	if e.servers != nil {
		on := root
		for _, name := range e.servers {
			on = on.get(name)
		}
		if k := indexOf(on, serverName); k >= 0 && runsStemma(text, on.members[k].value) {
			text = e.prune(removeMember(text, on, k), e.servers)
		}
	}
	if len(e.hooks) > 0 {
		if text, err = e.takeHooks(text); err != nil {
			return "", err
		}
		return e.takeRules(text)
	}
	return text, nil
}

func indexOf(on *node, name string) int {
	if on == nil {
		return -1
	}
	for i := len(on.members) - 1; i >= 0; i-- {
		if on.members[i].name == name {
			return i
		}
	}
	return -1
}

// prune takes an object away that has become empty, and what it stands in.
func (e entries) prune(text string, at []string) string {
	for k := len(at); k > 0; k-- {
		root, err := parseJSONC(text)
		if err != nil {
			return text
		}
		on := root
		for _, name := range at[:k-1] {
			on = on.get(name)
		}
		i := indexOf(on, at[k-1])
		if i < 0 {
			return text
		}
		v := on.members[i].value
		inner := text[v.start+1 : v.end-1]
		if len(v.members) > 0 || len(v.items) > 0 || strings.TrimSpace(inner) != "" { // a comment is kept
			return text
		}
		text = removeMember(text, on, i)
	}
	return text
}

// takeHooks takes all hooks of ours out, one at a time: each changes where the others
// stand.
func (e entries) takeHooks(text string) (string, error) {
	for {
		root, err := parseJSONC(text)
		if err != nil {
			return "", err
		}
		next, event, found := e.takeOne(text, root.get("hooks"))
		if !found {
			return text, nil
		}
		text = e.prune(next, []string{"hooks", event})
	}
}

func (e entries) takeOne(text string, on *node) (string, string, bool) {
	if on == nil {
		return text, "", false
	}
	for _, m := range on.members {
		for i, item := range m.value.items {
			if e.isOurs(text, item) {
				return removeItem(text, m.value, i), m.name, true
			}
			inner := item.get("hooks")
			if inner == nil {
				continue
			}
			k := slices.IndexFunc(inner.items, func(n *node) bool { return e.isOurs(text, n) })
			if k < 0 {
				continue
			}
			if len(inner.items) == 1 {
				return removeItem(text, m.value, i), m.name, true
			}
			return removeItem(text, inner, k), m.name, true
		}
	}
	return text, "", false
}

func (entries) shared(string) bool { return false }

// empty reports whether nothing is left but what a new file begins with.
func (e entries) empty(text string) bool {
	root, err := parseJSONC(text)
	if err != nil {
		return false
	}
	if root == nil {
		return strings.TrimSpace(strings.TrimPrefix(text, bom)) == ""
	}
	for _, m := range root.members {
		if !slices.ContainsFunc(e.head, func(p pair) bool { return p.name == m.name }) {
			return false
		}
	}
	return root.kind == '{' && !strings.Contains(text, "//") && !strings.Contains(text, "/*") ||
		len(root.members) > 0 && len(root.members) == len(e.head)
}
