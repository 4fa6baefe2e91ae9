package web

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// noKinds is where the document of the bundle has room for the kinds.
const noKinds = `<meta name="kinds" content="" />`

// withKinds returns the document with the kinds of memory, their letters and their shapes.
func withKinds(document []byte) ([]byte, error) {
	type form struct {
		Kind   memory.Kind `json:"kind"`
		Letter string      `json:"letter"`
		Shape  string      `json:"shape,omitempty"`
	}
	var forms []form
	for _, k := range memory.Memories() {
		f := k.Form()
		forms = append(forms, form{k, f.Letter, f.Shape})
	}
	text, err := json.Marshal(forms)
	if err != nil {
		return nil, err
	}
	meta := `<meta name="kinds" content="` + html.EscapeString(string(text)) + `" />`
	return []byte(strings.Replace(string(document), noKinds, meta, 1)), nil
}

// kindsCSS is the style sheet with the colours of kinds by day and by night.
func kindsCSS() string {
	var day, night, chosen strings.Builder
	add := func(f *memory.Form) {
		fmt.Fprintf(&day, ".k-%s{--c:%s}\n", f.Kind, f.Day)
		fmt.Fprintf(&night, ":root:not([data-theme=light]) .k-%s{--c:%s}\n", f.Kind, f.Night)
		fmt.Fprintf(&chosen, ":root[data-theme=dark] .k-%s{--c:%s}\n", f.Kind, f.Night)
		if f.Shape == "" && f.Letter != "" {
			fmt.Fprintf(&day, ".siglum.k-%s{border-radius:50%%}\n", f.Kind)
		}
	}
	for _, k := range memory.Memories() {
		add(k.Form())
	}
	add(&memory.Form{Kind: "other", Day: "#625b50", Night: "#b3ac9d"})
	return day.String() + "@media (prefers-color-scheme:dark){\n" + night.String() + "}\n" + chosen.String()
}
