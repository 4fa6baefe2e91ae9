package importers

import "cmp"

// isOpenMemory reports whether a file is of OpenMemory: what its backup holds, or what its API lists.
func isOpenMemory(s *sight) bool {
	in := func(under string) bool {
		return s.has(under+"id", under+"content", under+"state") && s.any(under+"app_id", under+"app", under+"app_name",
			under+"categories", under+"created_at") && !s.any(under+"role")
	}
	return in("memories[].") || in("items[].") || in("") ||
		s.list("memories") && s.any("memory_categories", "status_history", "access_controls")
}

// readOpenMemory reads memories with the state in which they are. A backup has each twice: once is enough.
func readOpenMemory(r *reading, files []*file) error {
	h := newHeap()
	apps := make(map[string]string)
	labels, tagged := make(map[string]string), make(map[string][]string)
	var all []element
	for _, f := range files {
		var under []string
		if f.seen.list("memories") || f.seen.list("items") {
			under = []string{"apps", "categories", "memory_categories", "memories", "items"}
		}
		if err := r.each(f, "line", under, func(e element) error {
			switch e.under {
			case "apps":
				apps[e.peek("id")] = e.peek("name")
			case "categories":
				labels[e.peek("id")] = e.peek("name")
			case "memory_categories":
				tagged[e.peek("memory_id")] = append(tagged[e.peek("memory_id")], e.peek("category_id"))
			default:
				all = append(all, e)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	seen := make(map[string]bool)
	for _, e := range all {
		t := &taker{m: e.members}
		id, text, state, made := t.need("id"), t.text("content", "memory", "text"), t.text("state"), t.text("created_at")
		k := kept{row: e.row, alias: "openmemory:" + id, text: text, made: made, rest: e.members}
		app := cmp.Or(t.text("app_name", "app"), apps[e.peek("app_id")])
		k.tags = append(t.texts("categories"), app)
		for _, c := range tagged[id] {
			k.tags = append(k.tags, labels[c])
		}
		switch state {
		case "deleted":
			k.gone = forgottenThere
		case "archived":
			k.gone = "archived where it comes from"
		case "paused":
			k.tags = append(k.tags, "paused")
		}
		delete(e.members, "vector")
		if seen[id] && t.err == nil {
			continue
		}
		seen[id] = true
		h.take(e.row, errorOf(func() error { return h.keep(k) }, t.err))
	}
	return r.part(h)
}

// errorOf does something unless there is an error already.
func errorOf(do func() error, before error) error {
	if before != nil {
		return before
	}
	return do()
}
