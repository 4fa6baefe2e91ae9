package importers

import (
	"cmp"
	"strings"
)

// isGraphiti reports whether a file is of graphiti: its episodes, nodes and edges.
func isGraphiti(s *sight) bool {
	in := func(under string) bool {
		return s.has(under+"fact") && s.any(under+"source_node_uuid", under+"target_node_uuid", under+"valid_at") ||
			s.has(under+"uuid", under+"summary") && s.any(under+"labels", under+"group_id") ||
			s.has(under+"uuid", under+"content", under+"source") && s.any(under+"source_description", under+"valid_at")
	}
	for _, under := range append([]string{""}, graphitiLists...) {
		if under != "" {
			under += "[]."
		}
		if in(under) {
			return true
		}
	}
	return false
}

var graphitiLists = []string{
	"episodes", "episodic_nodes", "nodes", "entity_nodes", "edges", "entity_edges", "facts",
}

// readGraphiti reads what was said as raws, what was concluded of it as notes that rest on it, and from when
// until when each holds.
func readGraphiti(r *reading, files []*file) error {
	h := newHeap() // edges name nodes and episodes of other files
	names := make(map[string]string)
	var edges []element
	for _, f := range files {
		var under []string
		if f.seen.any(graphitiLists...) {
			under = graphitiLists
		}
		if err := r.each(f, "entry", under, func(e element) error {
			switch {
			case e.members["fact"] != nil:
				edges = append(edges, e)
				return nil
			case e.members["content"] != nil:
				return graphitiEpisode(h, e)
			case e.members["name"] != nil:
				names[e.peek("uuid")] = e.peek("name")
				return graphitiNode(h, e)
			}
			return errString("is neither an episode, a node nor an edge")
		}); err != nil {
			return err
		}
	}
	for _, e := range edges {
		h.take(e.row, graphitiEdge(h, e, names))
	}
	return r.part(h)
}

func graphitiEpisode(h *heap, e element) error {
	t := &taker{m: e.members}
	id, text := t.need("uuid"), t.need("content")
	at := cmp.Or(e.peek("valid_at"), e.peek("created_at"))
	name, source := t.text("name"), t.text("source")
	if t.err != nil {
		return t.err
	}
	turn := said{row: e.row, alias: "graphiti:" + id, text: text, when: at, event: "turn"}
	who, words, ok := strings.Cut(text, ":")
	if ok && source == "message" && len(who) < 60 && !strings.Contains(text, "\n") { // one speaker
		turn.speaker, turn.text = strings.TrimSpace(strings.Split(who, "(")[0]), words
	}
	if group := e.peek("group_id"); group != "" {
		turn.session = "graphiti:" + group
	}
	turn.ext = with(with(with(nil, "name", name), "source", source), "source_description", e.peek("source_description"))
	return h.say(turn)
}

func graphitiNode(h *heap, e element) error {
	t := &taker{m: e.members}
	id, name, about := t.need("uuid"), t.need("name"), t.text("summary")
	made, labels := t.text("created_at"), t.texts("labels")
	delete(e.members, "name_embedding")
	if t.err != nil {
		return t.err
	}
	if about == "" {
		about = name
	}
	return h.keep(kept{
		row: e.row, alias: "graphiti:" + id, text: about, made: made, about: []string{name}, tags: labels,
		rest: e.members,
	})
}

func graphitiEdge(h *heap, e element, names map[string]string) error {
	t := &taker{m: e.members}
	id, fact, made := t.need("uuid"), t.need("fact"), t.text("created_at")
	relation := t.text("name")
	since, until := t.text("valid_at"), t.text("invalid_at")
	k := kept{row: e.row, alias: "graphiti:" + id, text: fact, made: made, since: since, until: until}
	if until == "" {
		k.until = e.peek("expired_at") // another fact took its place
	}
	for _, episode := range t.texts("episodes") {
		k.from = append(k.from, "graphiti:"+episode)
	}
	for _, end := range []string{"source_node_uuid", "target_node_uuid"} {
		k.about = append(k.about, names[e.peek(end)])
	}
	if relation != "" {
		k.tags = []string{"relation", relation}
	}
	delete(e.members, "fact_embedding")
	k.rest = e.members
	if t.err != nil {
		return t.err
	}
	return h.keep(k)
}
