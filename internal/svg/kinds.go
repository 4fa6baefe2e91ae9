package svg

import (
	"fmt"
	"html"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// letter returns the letter of a kind as XML.
func letter(name string) string {
	if l := memory.Kind(name).Form().Letter; l != "" {
		return html.EscapeString(l)
	}
	return "?"
}

// known is the name of a kind, or that of those which have no colour.
func known(name string) string {
	if letter(name) == "?" {
		return "other"
	}
	return name
}

// shape differs by kind, so that colour is not the only sign.
func shape(name string) string {
	switch memory.Kind(name).Form().Shape {
	case "square":
		return `<rect class="sign" x="17" y="12" width="22" height="22"/>`
	case "diamond":
		return `<path class="sign" d="M28 10 41 23.5 28 37 15 23.5Z"/>`
	case "page":
		return `<path class="sign" d="M17 12H34L39 17V34H17Z"/>`
	}
	return `<circle class="sign" cx="28" cy="23" r="12"/>`
}

// style is the whole style sheet. Colours stand in it as they are: not every
// program that draws knows variables.
func style() string {
	var b strings.Builder
	b.WriteString(`
text{font-family:ui-sans-serif,system-ui,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
.title,.words{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",P052,Georgia,"DejaVu ` +
		`Serif",serif}
.title{font-size:19px}.words{font-size:13.5px}.kind{font-size:11px;font-weight:600}.foot{font-size:10.5px}
.name{font-size:10px;font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.letter{font-size:13px;font-weight:700}text.sign{font-size:11px;font-weight:700}.flag{font-size:10.5px;font-weight:600}
.tie{fill:none;stroke-width:1.4}.inferred{stroke-dasharray:5 4}.gone .sheet{stroke-dasharray:4 3}.root ` +
		`.sheet{stroke-width:2}
`)
	ground := func(paper, sheet, ink, soft, rule, edge, red string) {
		fmt.Fprintf(&b, ".paper{fill:%s}.sheet{fill:%s;stroke:%s}.title,.words{fill:%s}.foot,"+
			".name{fill:%s}.tie{stroke:%s}.step{fill:%s}.flag{fill:%s}.letter{fill:%s}.gone .words{fill:%s}\n",
			paper, sheet, rule, ink, soft, edge, rule, red, sheet, soft)
	}
	colours := func(of func(*memory.Form) string) {
		var forms []*memory.Form
		for _, k := range memory.Memories() {
			forms = append(forms, k.Form())
		}
		for _, k := range append(forms, &memory.Form{Kind: "other", Day: "#625b50", Night: "#b3ac9d"}) {
			fmt.Fprintf(
				&b,
				".k-%[1]s .sign,.k-%[1]s .edge,.k-%[1]s .kind,.k-%[1]s .on{fill:%[2]s}.k-%[1]s.root .sheet{stroke:%[2]s}\n",
				k.Kind, of(k),
			)
		}
	}
	ground("#faf8f3", "#fffefb", "#1f1c18", "#625b50", "#d9d2c3", "#8d8576", "#962a1b")
	colours(func(f *memory.Form) string { return f.Day })
	b.WriteString("@media (prefers-color-scheme:dark){\n")
	ground("#171614", "#1e1d1a", "#e9e4d9", "#a9a293", "#3a372f", "#7d7668", "#ec9079")
	colours(func(f *memory.Form) string { return f.Night })
	b.WriteString("}\n")
	return b.String()
}
