package importers

import (
	"cmp"
	"slices"
	"strings"
)

// isChatGPT reports whether a file is of conversations of ChatGPT, or one that lies beside them.
func isChatGPT(s *sight) bool {
	return s.names["mapping"] == "{" && s.any("title", "create_time", "conversation_id", "current_node")
}

// readChatGPT reads conversations: all messages that people see, each once, however many branches or
// conversations share it.
func readChatGPT(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		return r.each(f, "conversation", nil, func(e element) error {
			h := newHeap()
			if err := chatGPTOne(h, e); err != nil {
				return err
			}
			return r.part(h)
		})
	})
}

// A gptNode is one message of the tree of a conversation.
type gptNode struct {
	id       string
	message  members
	parent   string
	children []string
}

func chatGPTOne(h *heap, e element) error {
	id := e.peek("conversation_id")
	if id == "" {
		id = e.peek("id")
	}
	t := &taker{m: e.members}
	title := t.text("title")
	if t.err != nil {
		return t.err
	}
	mapping, ok := e.members["mapping"].(map[string]any)
	if !ok {
		return errNotMapping
	}
	if who := e.peek("account_id"); who != "" {
		h.lost.account(who)
	}
	nodes := make(map[string]*gptNode, len(mapping))
	for key, v := range mapping {
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		n := &gptNode{id: key}
		n.parent, _ = m["parent"].(string)
		n.message, _ = m["message"].(map[string]any)
		for _, c := range asList(m["children"]) {
			if c, ok := c.(string); ok {
				n.children = append(n.children, c)
			}
		}
		nodes[key] = n
	}
	shown := make(map[string]bool) // on the way to what was shown last
	current, _ := e.members["current_node"].(string)
	for n := nodes[current]; n != nil && !shown[n.id]; n = nodes[n.parent] {
		shown[n.id] = true
	}
	if id == "" {
		id = digestOf(title, current, e.peek("create_time"))
	}
	for _, n := range inOrder(nodes) {
		if n.message == nil {
			continue
		}
		if err := chatGPTTurn(h, e, n, "chatgpt:"+id, title, len(shown) == 0 || shown[n.id]); err != nil {
			return err
		}
	}
	return nil
}

var errNotMapping = errString("mapping: must be an object")

// inOrder returns the nodes from the roots down, a message before its answers.
func inOrder(nodes map[string]*gptNode) []*gptNode {
	var roots []string
	for id, n := range nodes {
		if nodes[n.parent] == nil || n.parent == id {
			roots = append(roots, id)
		}
	}
	slices.Sort(roots)
	var out []*gptNode
	seen := make(map[string]bool)
	for way := slices.Clone(roots); len(way) > 0; {
		id := way[len(way)-1]
		way = way[:len(way)-1]
		n := nodes[id]
		if n == nil || seen[id] {
			continue
		}
		seen[id] = true
		out = append(out, n)
		for _, c := range slices.Backward(n.children) {
			way = append(way, c)
		}
	}
	return out
}

// chatGPTTurn makes a raw of one message.
func chatGPTTurn(h *heap, e element, n *gptNode, session, title string, shown bool) error {
	m := n.message
	author, _ := m["author"].(map[string]any)
	meta, _ := m["metadata"].(map[string]any)
	role, _ := author["role"].(string)
	content, _ := m["content"].(map[string]any)
	kind, _ := content["content_type"].(string)
	switch {
	case meta["is_visually_hidden_from_conversation"] == true || strings.HasSuffix(kind, "_editable_context"):
		if h.textOf(content["parts"]) != "" || strings.HasSuffix(kind, "_editable_context") {
			h.lost.leaveOut("hidden messages, such as custom instructions")
		}
		return nil
	case role == "system":
		if h.textOf(content["parts"]) != "" {
			h.lost.leaveOut("messages of the system")
		}
		return nil
	case role == "tool":
		h.lost.leaveOut("calls of tools and what they returned")
		return nil
	}
	recipient, _ := m["recipient"].(string)
	var text string
	switch {
	case role == "assistant" && recipient != "" && recipient != "all":
		h.lost.leaveOut("calls of tools and what they returned")
		return nil
	case kind == "thoughts" || kind == "reasoning_recap":
		h.lost.leaveOut("thoughts of models")
		return nil
	case kind == "text" || kind == "multimodal_text":
		text = h.textOf(content["parts"])
	default:
		text = h.textOf(cmp.Or(content["text"], content["result"], content["parts"]))
	}
	id, _ := m["id"].(string)
	t := said{
		row: e.row, alias: "chatgpt:" + cmp.Or(id, n.id), speaker: role, text: text, session: session,
		when: members(m).peek("create_time"),
	}
	if name, _ := author["name"].(string); name != "" {
		t.speaker = name
	}
	t.ext = with(t.ext, "title", title)
	t.ext = with(t.ext, "model", meta["model_slug"])
	for _, a := range asList(meta["attachments"]) {
		if a, ok := a.(map[string]any); ok {
			h.lost.leaveOut("attachments")
			if name, ok := a["name"].(string); ok {
				t.ext = with(t.ext, "attachments", append(asList(t.ext["attachments"]), name))
			}
		}
	}
	if !shown {
		t.ext = with(t.ext, "branch", "another answer was shown")
	}
	return h.say(t)
}
