package symbol

import "strings"

// conditions finds the branches of #if. Where each is whole, all are kept: what
// two of them define is ambiguous. Where brackets open in one branch and close
// outside, only the first branch is kept, and what has an end in one is shaky.
func (r *reader) conditions() {
	dropped := make([]bool, len(r.tokens))
	var stack []group
	current, branches, at := int32(0), int32(0), 0
	for _, d := range r.direct {
		for ; at < d.token; at++ {
			r.tokens[at].branch = current
		}
		r.pos = d.start
		switch d.text {
		case "if", "ifdef", "ifndef":
			if len(stack) >= maxDepth {
				r.fail("#if nests too deep")
				return
			}
			stack = append(stack, group{branches: [][2]int{{at, at}}, parent: current, line: r.lineAt(d.start)})
			branches++
			current = branches
		case "else", "elif", "elifdef", "elifndef", "endif":
			if len(stack) == 0 {
				r.fail("#" + d.text + " without #if")
				return
			}
			g := &stack[len(stack)-1]
			g.branches[len(g.branches)-1][1] = at
			if d.text == "endif" {
				r.settle(*g, r.lineAt(d.start), dropped)
				current = g.parent
				stack = stack[:len(stack)-1]
				continue
			}
			g.hasElse = g.hasElse || d.text == "else"
			g.branches = append(g.branches, [2]int{at, at})
			branches++
			current = branches
		}
	}
	if len(stack) > 0 {
		r.fail("#if does not end")
		return
	}
	for ; at < len(r.tokens); at++ {
		r.tokens[at].branch = current
	}
	kept := r.tokens[:0]
	for i, t := range r.tokens {
		switch {
		case !dropped[i]:
			kept = append(kept, t)
		case t.kind == word:
			r.lost = append(r.lost, t)
		}
	}
	r.tokens = kept
}

// inMacros finds a word in the text of macros, which may define anything.
func (r *reader) inMacros(text string) int {
	for _, d := range r.direct {
		if d.text != "define" {
			continue
		}
		body := r.src[d.body:d.end]
		for from := 0; ; {
			at := strings.Index(body[from:], text)
			if at < 0 || text == "" {
				break
			}
			at += from
			from = at + len(text)
			if (at == 0 || !isWordByte(body[at-1])) && (from == len(body) || !isWordByte(body[from])) {
				return r.lineAt(d.body + at)
			}
		}
	}
	return 0
}

// macros keeps each #define as a symbol.
func (r *reader) macros() {
	for _, d := range r.direct {
		if d.text != "define" || d.body == d.name {
			continue
		}
		end := d.end
		for end > d.start && (r.src[end-1] == '\r' || r.src[end-1] == '\n') {
			end--
		}
		r.file.defs = append(r.file.defs, def{
			path: []string{r.src[d.name:d.body]},
			span: Span{r.lineAt(d.start), r.lineAt(end - 1)},
		})
	}
}

// rest returns the brackets of a range that have no partner in it.
func (r *reader) rest(b [2]int, dropped []bool) string {
	var closed, opened []byte
	for i := b[0]; i < b[1]; i++ {
		ch := r.tokens[i].ch
		switch want := opener(ch); {
		case dropped[i]:
		case isOpener(ch):
			opened = append(opened, ch)
		case want == 0:
		case len(opened) > 0 && opened[len(opened)-1] == want:
			opened = opened[:len(opened)-1]
		default:
			closed = append(closed, ch)
		}
	}
	return string(closed) + string(opened)
}

// settle decides which branches of a group are kept.
func (r *reader) settle(g group, end int, dropped []bool) {
	var rest []string
	whole, same := true, true
	for _, b := range g.branches {
		rest = append(rest, r.rest(b, dropped))
		whole = whole && rest[len(rest)-1] == ""
		same = same && rest[len(rest)-1] == rest[0]
	}
	if whole {
		return
	}
	if !same || !g.hasElse {
		r.odd = append(r.odd, [2]int{g.line, end})
	}
	for _, b := range g.branches[1:] {
		for i := b[0]; i < b[1]; i++ {
			dropped[i] = true
		}
	}
}
