package probes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

var salt = []byte("saltsalt")

// What was said is found in a text, in JSON and among other bytes, however it is written in parts.
func TestSpansAreFoundWhereverTheyStand(t *testing.T) {
	t.Parallel()
	text := "Zoë said \"the gate\tof the\nharbour\" opens with C:\\new & <xyzzy> at dawn, order AB12345"
	m := NewMaker(salt, 100)
	m.Add(text)
	set := m.Set(100)
	if len(set.Spans) < 8 || len(set.Words) != 1 {
		t.Fatalf("%d spans, %d words", len(set.Spans), len(set.Words))
	}
	asJSON, err := json.Marshal(map[string]string{"body": text})
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string][]byte{
		"JSON": asJSON, "among bytes": slices.Concat([]byte{0, 0xff, 0xc3, 0x28}, asJSON, []byte{0, 1, 2}),
		"in capitals": []byte(strings.ToUpper(string(asJSON[:40])) + string(asJSON[40:])),
	}
	for name, raw := range forms {
		for _, part := range []int{len(raw), 1, 7} {
			s := NewSearch(set)
			for chunk := range slices.Chunk(raw, part) {
				_, _ = s.Write(chunk)
			}
			if s.Over(); name != "in capitals" && s.Found() != set.Len() {
				t.Errorf("%s in parts of %d: %d of %d found", name, part, s.Found(), set.Len())
			}
		}
	}
	s := NewSearch(set)
	_, _ = s.Write([]byte("the gate of the harbour is open, and the harbour opens with the dawn"))
	if s.Over(); s.Found() != 0 {
		t.Errorf("%d found in other words", s.Found())
	}
	if !s.Holds(text) || s.Found() != 0 {
		t.Error("a text that has them is not known")
	}
}

// A sample is the same whatever the order, and what stays elsewhere is no probe.
func TestASampleHasNothingThatStays(t *testing.T) {
	t.Parallel()
	texts := make([]string, 0, 500)
	for i := range 500 {
		texts = append(texts, fmt.Sprintf("record %d says that heron%d fishes at dawn on quay number %d", i, i, i*i))
	}
	of := func(texts []string) Set {
		m := NewMaker(salt, 50)
		for _, text := range texts {
			m.Add(text)
		}
		for _, text := range texts[:100] {
			m.But([]byte(`{"text":"` + text + `"}`))
		}
		return m.Set(60)
	}
	a := of(texts)
	if a.Len() != 60 || len(a.Words) != 12 {
		t.Errorf("%d probes, %d of them words", a.Len(), len(a.Words))
	}
	s := NewSearch(a)
	for _, text := range texts[:100] {
		_, _ = s.Write([]byte(text))
		s.Over()
	}
	if s.Found() != 0 {
		t.Errorf("%d of the probes stand in what stays", s.Found())
	}
	for _, text := range texts[100:] {
		_, _ = s.Write([]byte(text))
		s.Over()
	}
	if s.Found() != a.Len() {
		t.Errorf("%d of %d probes are of what goes", s.Found(), a.Len())
	}
}

func TestNamesAreWholeWords(t *testing.T) {
	t.Parallel()
	n := NewNames([]string{"Ann", "Zoë Ångström", "will", "田中", "ann@example.org", " "})
	for text, want := range map[string]string{
		"Ann's plan":                     "0",
		"ANN is in":                      "0",
		"ann likes tea":                  "0?",
		"an annual Annex, Joanna":        "",
		"src/notifyAnn.go":               "0",
		"img/ann_at_sea.png":             "0?",
		"Zoe\u0308 A\u030angstro\u0308m": "1", // accents apart
		"ZOË\u00a0ÅNGSTRÖM":              "1",
		"zoe angstrom":                   "1",
		"Ｚｏë Ångström":                   "1",
		"zoëÅngström.go":                 "1",
		"Zoë met Ångström":               "",
		"Zo\u00adë Ångström":             "1",
		"I will go":                      "2",
		"部長の田中さん":                        "3",
		"mail ann@example.org today":     "0? 4",
		"":                               "",
	} {
		var got []string
		for _, h := range n.In(text) {
			sure := "?"
			if h.Sure {
				sure = ""
			}
			got = append(got, fmt.Sprint(h.Name)+sure)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %q", text, got, want)
		}
	}
}
