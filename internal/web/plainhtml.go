package web

import (
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"net/url"
	"strings"

	inShort "github.com/stemma-memory/stemma/internal/brief"
)

// The page without a script is written by hand: html/template would keep every
// exported method of every type in the program, 3 MB of them.

//go:embed plain.html
var plainText string

// nothing is what an empty list shows.
const nothing = `<p class="note">Nothing.</p>`

// html is the whole page. Each text in it is escaped.
func (p plain) html() string {
	return strings.NewReplacer(
		"{{Sheet}}", html.EscapeString(p.Sheet), "{{Title}}", html.EscapeString(p.Title),
		"{{Query}}", html.EscapeString(p.Query), "{{Body}}", p.body(),
	).Replace(plainText)
}

func (p plain) body() string {
	var b strings.Builder
	if p.Memory == nil {
		fmt.Fprintf(&b, "<h1>%s</h1>\n      <div class=\"lists\">", html.EscapeString(p.Title))
		tree(&b, p.List)
		b.WriteString("</div>")
		return b.String()
	}
	p.memory(&b)
	b.WriteString("\n        <div class=\"lists\">\n          <h2>What it comes from</h2>")
	tree(&b, p.Back)
	b.WriteString("\n          <h2>What came of it</h2>")
	tree(&b, p.Forward)
	b.WriteString("\n        </div>\n      </article>")
	return b.String()
}

// memory writes a memory's head and its figures.
func (p plain) memory(b *strings.Builder) {
	m, trust, tier := p.Memory, "–", cmp.Or(p.Memory.Tier, "raw words")
	if m.Trust != nil {
		trust = fmt.Sprintf("%.2f", *m.Trust)
	}
	stands := ""
	for _, mark := range marked(p.Marks) {
		stands += " · " + mark
	}
	said := ""
	if words := shown(inShort.Words(m)); words != p.Title {
		said = "\n        <p class=\"words\">" + strings.ReplaceAll(html.EscapeString(words), "\n", "<br>") + "</p>"
	}
	fmt.Fprintf(b, `<article class="memory">
        <p class="overline">%s <span class="mono">%s</span> · %s · %s%s</p>
        <h1>%s</h1>
        <dl class="tally across">
          <dt>tier</dt><dd>%s</dd>
          <dt>trust</dt><dd>%s</dd>
          <dt>confidence</dt><dd>%.2f</dd>
        </dl>`, escaped(m.Type, m.Ref, cmp.Or(m.At, m.CreatedAt), m.Source, stands, p.Title, tier, trust,
		m.Confidence)...)
	b.WriteString(said)
}

// escaped makes texts among values harmless in HTML.
func escaped(values ...any) []any {
	for i, v := range values {
		if _, number := v.(float64); !number {
			values[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	return values
}

// tree writes a list of records, each with the list under it.
func tree(b *strings.Builder, list []branch) {
	if len(list) == 0 {
		b.WriteString(nothing)
		return
	}
	b.WriteString("<ul>")
	for _, one := range list {
		fmt.Fprintf(b, `<li>%s <a class="words" href="/plain/%s">%s</a>`,
			escaped(one.Kind, url.PathEscape(one.Ref), one.Words)...)
		if one.Note != "" {
			fmt.Fprintf(b, ` <span class="note">%s</span>`, html.EscapeString(one.Note))
		}
		if len(one.Under) > 0 {
			tree(b, one.Under)
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ul>")
}
