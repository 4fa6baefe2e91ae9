package importers

import (
	"fmt"
	"path"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/markdown"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// readInstructions reads files in which people tell agents how to work, such as CLAUDE.md or AGENTS.md:
// each item of a list and each paragraph becomes a note whose type follows from its words and from the
// section it stands in. What this program wrote into the file itself is left out.
func readInstructions(r *reading, files []*file) error {
	in := includes{r: r, seen: make(map[string]bool)}
	return r.eachFile(files, func(f *file) error {
		p, err := r.leaf(f)
		if err != nil {
			return err
		}
		h := newHeap()
		w := pageWriter{heap: h, leaf: p, prefix: "instructions:" + r.name(f) + "/" + p.path}
		w.was = "instructions:" + r.wasIn() + "/" + p.path
		if err := w.statements(); err != nil {
			return err
		}
		in.of(h, f, p, 0)
		return r.part(h)
	})
}

// statements puts the instructions of a page on the heap.
func (w pageWriter) statements() error {
	p := w.leaf
	for _, s := range p.statements() {
		row := fmt.Sprintf("%s, line %d", p.path, s.line)
		body, err := noteOf(s.kind(), s.text)
		if err != nil {
			w.take(row, err)
			continue
		}
		it := &item{
			row: row, body: body,
			alias: w.prefix + ":" + digestOf(s.section, s.text),
			was:   []string{w.was + ":" + digestOf(s.section, s.text)},
			ext:   map[string]any{"file": p.path, "line": float64(s.line)},
			meta:  api.Meta{Tags: tags("instruction")},
		}
		for _, name := range []string{"description", "globs", "alwaysApply", "applyTo", "paths"} {
			if m := p.front.Get(name); m != nil {
				if said := strings.Join(p.front.List(name), ", "); said != "" {
					it.ext[name] = clean(said)
				}
			}
		}
		if s.section != "" {
			it.ext["section"] = s.section
		}
		w.take(row, w.add(it))
	}
	return nil
}

// A statement is one instruction.
type statement struct {
	line    int
	section string // the headings above it
	text    string
}

// Between these lines stands what this program wrote.
var ownBegin, ownEnd = lazy.Regexp(`(?i)^<!--.*stemma.*(begin|start)`), lazy.Regexp(`(?i)^<!--.*stemma.*end`)

var (
	headed  = lazy.Regexp(`^(#{1,6})\s+(.+?)\s*#*$`)
	listed  = lazy.Regexp(`^([-*+]|\d{1,3}[.)])\s+(.*)$`)
	comment = lazy.Regexp(`(?s)<!--.*?-->`)
)

// statements divides a page at its headings, list items and empty lines. What is
// indented, and code, belongs to what it stands under.
func (p *leaf) statements() []statement {
	var out []statement
	var headings [7]string
	var now *statement
	end := func() {
		if now == nil {
			return
		}
		if now.text = strings.TrimSpace(comment.Get().ReplaceAllString(now.text, "")); now.text != "" &&
			len(now.text) < memory.MaxText {
			out = append(out, *now)
		}
		now = nil
	}
	section := func() string {
		var parts []string
		for _, h := range headings[2:] {
			if h != "" {
				parts = append(parts, h)
			}
		}
		return strings.Join(parts, " / ")
	}
	fence, own, gap, n := false, false, false, p.above
	for line := range strings.Lines(p.text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		flush := strings.TrimSpace(line)
		indented := flush != "" && (line[0] == ' ' || line[0] == '\t')
		starts := strings.HasPrefix(flush, "```") || strings.HasPrefix(flush, "~~~")
		switch {
		case own || !fence && ownBegin.Get().MatchString(flush):
			own = !ownEnd.Get().MatchString(flush)
		case fence || starts:
			if starts {
				fence = !fence
			}
			if now == nil {
				now = &statement{line: n, section: section()}
			}
			now.text += line + "\n"
		case flush == "":
			gap = true
			if now != nil {
				now.text += "\n"
			}
			continue
		case headed.Get().MatchString(line):
			end()
			m := headed.Get().FindStringSubmatch(line)
			depth := len(m[1])
			clear(headings[depth:])
			headings[depth] = m[2]
		case !indented && listed.Get().MatchString(line):
			end()
			now = &statement{line: n, section: section(), text: listed.Get().FindStringSubmatch(line)[2] + "\n"}
		case indented && now != nil:
			now.text += line + "\n"
		default:
			if gap {
				end()
			}
			if now == nil {
				now = &statement{line: n, section: section()}
			}
			now.text += flush + "\n"
		}
		gap = false
	}
	end()
	return out
}

// Words that tell what an instruction is, the strongest first. They are of the
// statement itself, and then of its section.
var (
	constrains = lazy.Regexp(
		`(?i)\b(must|never|always|do not|don't|required?|forbidden|mandatory|only ever|no exceptions|constraints?|rules?|` +
			`important|critical)\b`,
	)
	prefers = lazy.Regexp(`(?i)\b(prefer|preferred|preferences?|favou?r|rather than|ideally|when possible|likes?)\b`)
	decides = lazy.Regexp(`(?i)\b(architecture|decisions?|design|why we|we chose|overview|structure)\b`)
	mends   = lazy.Regexp(
		`(?i)\b(troubleshooting|gotchas?|pitfalls?|known (issues?|problems?)|fix(es)?|workarounds?|common (errors?|` +
			`problems?))\b`,
	)
	environment = lazy.Regexp(
		`(?i)\b(commands?|setup|install(ation)?|build(ing)?|run(ning)?|test(s|ing)?|environment|develop(ment|ing)?|` +
			`deploy(ment)?|scripts?|tools?)\b`,
	)
)

// kind returns the type of the note that a statement becomes.
func (s statement) kind() string {
	first := shorten.FirstLine(s.text)
	switch {
	case constrains.Get().MatchString(first):
		return "constraint"
	case prefers.Get().MatchString(first):
		return "preference"
	case constrains.Get().MatchString(s.section):
		return "constraint"
	case prefers.Get().MatchString(s.section):
		return "preference"
	case mends.Get().MatchString(s.section):
		return "known_fix"
	case environment.Get().MatchString(s.section):
		return "environment"
	case decides.Get().MatchString(s.section):
		return "decision"
	}
	return "convention"
}

// looksInstructing reports whether a file is one of instructions: by its name, or by the directory in which
// hosts keep their rules.
func looksInstructing(name string) bool {
	base, lower := strings.ToLower(path.Base(name)), "/"+strings.ToLower(name)
	switch base {
	case "claude.md", "claude.local.md", "agents.md", "agent.md", "gemini.md", ".cursorrules", "copilot-instructions.md",
		".windsurfrules", ".clinerules", ".roorules", ".goosehints", "qwen.md", "warp.md", "conventions.md":
		return true
	}
	if strings.HasSuffix(base, ".mdc") || strings.HasSuffix(base, ".instructions.md") {
		return true
	}
	for _, dir := range []string{"/.clinerules/", "/.cursor/rules/", "/.windsurf/rules/", "/.roo/rules", "/.claude/rules/",
		"/.kiro/steering/"} {
		if strings.Contains(lower, dir) {
			return true
		}
	}
	return false
}

// looksBasic reports whether a page is from Basic Memory: it has observations with a category,
// or a permalink and relations.
func looksBasic(s *sight) bool {
	front, text := markdown.Split(s.head)
	seen, links := 0, 0
	for line := range strings.Lines(text) {
		l := strings.TrimRight(line, "\r\n")
		if observed.Get().MatchString(l) {
			seen++
		} else if related.Get().MatchString(l) {
			links++
		}
	}
	return front.Get("permalink") != nil && seen+links > 0 || seen > 0 && links > 0
}
