package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

const recording = "../../docs/img/recall.svg"

// What happens before the recording, and what it shows: a search, and where its answer comes from.
var (
	unseen = []step{
		{command: `mkdir shop && cd shop && stemma init`},
		{"stemma raw '4 of 10 writers lose orders in one JSON file' --speaker Mara", []string{"raw:3a510c2e…"}},
		{"stemma raw 'SQLite keeps all orders of 10 writers' --speaker Jon", []string{"raw:7be4d198…"}},
		{"stemma promote raw:3a510c2e raw:7be4d198 --to note --type decision -m 'Keep orders in SQLite' " +
			"--reason 'A JSON file loses orders' --approve", []string{"note:c27d05e3…"}},
	}
	seen = []string{
		`stemma search "where do we keep orders" --limit 1`,
		`stemma trace note:c27d05e3 --direction backward`,
	}
)

// The picture in README shows what the binary prints today. scripts/recording.sh draws it again.
func TestRecording(t *testing.T) {
	r := newReader(t)
	r.color, r.loose = true, true
	for _, s := range unseen {
		r.follow(s)
	}
	var lines, plain []string
	for i, command := range seen {
		if i > 0 {
			lines = append(lines, "")
		}
		out, err := r.run(command)
		if err != nil {
			t.Fatalf("$ %s: %v\n%s", command, err, out)
		}
		lines = append(lines, "\x1b[1m$ "+r.real(command)+"\x1b[0m")
		lines = append(lines, strings.Split(strings.TrimSpace(out), "\n")...)
	}
	for _, l := range lines {
		plain = append(plain, colours.ReplaceAllString(l, ""))
	}
	if *update {
		if err := os.WriteFile(recording, []byte(r.shown(draw(lines))+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	words := drawn(t)
	if !r.match(words, plain) {
		t.Errorf("%s shows\n%s\nbut the binary prints\n%s\nrun scripts/recording.sh",
			recording, strings.Join(words, "\n"), strings.Join(plain, "\n"))
	}
}

// Sizes of the picture, in pixels.
const (
	cell, row, margin = 8.43, 20, 18
)

// styles are the colours that the binary uses, on a dark ground.
var styles = map[string]string{"1": "b", "2": "d", "31": "r", "32": "g", "33": "y", "34": "u", "35": "m", "36": "c"}

const head = `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d"` +
	` role="img" aria-label="A search finds a decision, and a trace shows the words it comes from">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d8dee9;` +
	` white-space: pre }
.b { font-weight: 700 } .d { fill: #8b95a7 } .r { fill: #f2777a } .g { fill: #99c794 }
.y { fill: #f9d67a } .u { fill: #7fb2f0 } .m { fill: #d3a4e0 } .c { fill: #6fc9c9 }
</style>
<rect width="%[1]d" height="%[2]d" rx="8" fill="#1b2230"/>
`

var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// draw returns lines of a terminal as a picture.
func draw(lines []string) string {
	width := 0
	for _, l := range lines {
		width = max(width, len([]rune(colours.ReplaceAllString(l, ""))))
	}
	var b strings.Builder
	fmt.Fprintf(&b, head, int(float64(width)*cell)+2*margin, len(lines)*row+2*margin)
	for i, l := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d" xml:space="preserve">`, margin, margin+i*row+14)
		class := ""
		for {
			at := sgr.FindStringSubmatchIndex(l)
			if at == nil {
				break
			}
			span(&b, l[:at[0]], class)
			class = styles[l[at[2]:at[3]]]
			l = l[at[1]:]
		}
		span(&b, l, class)
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func span(b *strings.Builder, words, class string) {
	switch {
	case words == "":
	case class == "":
		b.WriteString(html.EscapeString(words))
	default:
		fmt.Fprintf(b, `<tspan class="%s">%s</tspan>`, class, html.EscapeString(words))
	}
}

// drawn returns the lines of words in the picture.
func drawn(t *testing.T) []string {
	t.Helper()
	file, err := os.Open(recording)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lines []string
	in := false
	for d := xml.NewDecoder(file); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		switch v := token.(type) {
		case xml.StartElement:
			if v.Name.Local == "text" {
				in, lines = true, append(lines, "")
			}
		case xml.EndElement:
			in = in && v.Name.Local != "text"
		case xml.CharData:
			if in {
				lines[len(lines)-1] += string(v)
			}
		}
	}
}
