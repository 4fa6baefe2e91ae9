package evolve

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

var retrain = flag.Bool("train", false, "learn the weights of the judge anew and write weights.go")

// An example is what the judge learns from.
type example struct {
	x     []float64 // nil where the judge is not asked: none
	is    int       // place in answers
	ruled int       // what the rules alone said
	fold  [3]int    // in which of ten folds it is, by three ways to divide
	part  string
	count float64
}

var answers = []string{"none", "update", "contradict"}

func answer(label string) int {
	for i, a := range answers {
		if a == label {
			return i
		}
	}
	return 0
}

// met reads testdata/met.txt: what the rules of the time made of pairs of fresh.jsonl when they first met
// them, so that the weights of what rules say are learnt from pairs that no rule was fitted to. Part a are all
// pairs and the rules of commit def4ba6, part b the pairs noted "late" and the rules of 68f235f.
func met(t *testing.T) []example {
	t.Helper()
	data, err := os.ReadFile("testdata/met.txt")
	if err != nil {
		t.Fatal(err)
	}
	var es []example
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if names, ok := strings.CutPrefix(line, "# "); ok {
			if names != strings.Join(featureNames, ", ") {
				t.Fatal("met.txt is of other features")
			}
			continue
		}
		f := strings.Fields(line) // part, id, label, what the rules said, features
		e := example{part: f[0], is: answer(f[2]), ruled: answer(f[3]), count: 1}
		_, number, _ := strings.Cut(f[1], "-")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.fold { // ids stand by label, like beside like
			e.fold[i] = (n + 2*i) / (8 + 2*i) % 10
		}
		for _, v := range f[4:] {
			n, err := strconv.ParseFloat(v, 64)
			if err != nil {
				t.Fatal(err)
			}
			e.x = append(e.x, n)
		}
		es = append(es, e)
	}
	return es
}

// unruled reads the pairs the rules were made with, without what the rules say of them.
func unruled(t *testing.T) []example {
	t.Helper()
	var es []example
	add := func(old, new, label string, about []string) {
		names := func(text string) (all []string) {
			for _, a := range about {
				if strings.Contains(strings.ToLower(text), strings.ToLower(a)) {
					all = append(all, a)
				}
			}
			return all
		}
		n := readMemory(Memory{Text: new, About: names(new)}, false)
		o := readMemory(Memory{Text: old, About: names(old)}, false)
		if n.strange || n.question || n.supposed || len(n.said) == 0 || o.strange || o.question || len(o.said) == 0 {
			return
		}
		if c := compare(o, n); c.relate() != nil || len(c.shared) > 0 {
			x := features(c, nil)
			x[len(x)-1] = 1
			es = append(es, example{x: x, is: answer(label), part: "c", count: 0.5})
		}
	}
	data, err := os.ReadFile("testdata/pairs/tune.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var p struct {
			Old, New, Label string
			About           []string
		}
		if err := json.Unmarshal(line, &p); err != nil {
			t.Fatal(err)
		}
		add(p.Old, p.New, p.Label, p.About)
	}
	if data, err = os.ReadFile("testdata/rules.txt"); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "|"); len(f) == 4 {
			add(f[1], f[2], f[0], strings.FieldsFunc(f[3], func(c rune) bool { return c == ',' }))
		}
	}
	for i := range es { // neighbours are of one topic, or label
		for way := range es[i].fold {
			es[i].fold[way] = i / (12 + 3*way) % 10
		}
	}
	return es
}

// learn is multinomial logistic regression, the weights but the first held small by their squares.
func learn(es []example, small float64) []weight {
	const (
		steps = 200
		step  = 0.25
	)
	w, last := make([]weight, len(featureNames)), make([]weight, len(featureNames))
	all := 0.0
	for _, e := range es {
		if e.x != nil {
			all += e.count
		}
	}
	for s := range steps {
		g := make([]weight, len(w))
		for _, e := range es {
			if e.x == nil {
				continue
			}
			p := judge(e.x, w)
			off := weight(p)
			*[]*float64{&off.none, &off.update, &off.contradict}[e.is]--
			for i, v := range e.x {
				g[i].none += e.count * v * off.none / all
				g[i].update += e.count * v * off.update / all
				g[i].contradict += e.count * v * off.contradict / all
			}
		}
		push := float64(s) / float64(s+3)
		for i := range w {
			hold := small / all
			if i == 0 {
				hold = 0
			}
			move := func(at, was *float64, g float64) {
				next := *at - step*(g+hold**at)
				*at, *was = next+push*(next-*was), next
			}
			move(&w[i].none, &last[i].none, g[i].none)
			move(&w[i].update, &last[i].update, g[i].update)
			move(&w[i].contradict, &last[i].contradict, g[i].contradict)
		}
	}
	return w
}

type counts [3][3]int

func (c counts) of(k int) (precision, recall, f1 float64) {
	said, are := 0, 0
	for j := range c {
		said += c[j][k]
		are += c[k][j]
	}
	precision, recall = float64(c[k][k])/float64(max(said, 1)), float64(c[k][k])/float64(max(are, 1))
	if c[k][k] > 0 {
		f1 = 2 * precision * recall / (precision + recall)
	}
	return precision, recall, f1
}

func (c counts) macro() float64 {
	sum := 0.0
	for k := range c {
		_, _, f1 := c.of(k)
		sum += f1
	}
	return sum / float64(len(c))
}

func (c counts) String() string {
	up, ur, _ := c.of(1)
	cp, cr, _ := c.of(2)
	return fmt.Sprintf(
		"macro-F1 %.3f, update %.2f %.2f, contradict %.2f %.2f, %v", c.macro(), up, ur, cp, cr, [3][3]int(c),
	)
}

// A guess is what weights that have not seen an example say of it.
type guess struct {
	p chances
	e example
}

// prompt returns the answer with thresholds.
func (g guess) prompt(by least) int {
	if g.e.ruled == 2 {
		by.contradict = by.ruled
	}
	switch u, k := g.p.update/by.update, g.p.contradict/by.contradict; {
	case k >= 1 && k >= u:
		return 2
	case u >= 1:
		return 1
	}
	return 0
}

// thresholds are those of the best macro-F1 on part a with a precision of contradict of 0.88, there and where
// no rule says so, without a fold.
func thresholds(gs []guess, way, without int) (best least) {
	top := -3.0
	for i := range 12 {
		for j := range 14 {
			for k := range 14 {
				by := least{0.25 + 0.05*float64(i), 0.25 + 0.05*float64(j), 0.25 + 0.05*float64(k), 0.5}
				if by.ruled > by.contradict {
					continue
				}
				var c counts
				said, right := 0, 0
				for _, g := range gs {
					if g.e.fold[way] == without {
						continue
					}
					told := g.prompt(by)
					if g.e.part == "a" {
						c[g.e.is][told]++
					}
					if told == 2 && g.e.ruled != 2 {
						said++
						if g.e.is == 2 {
							right++
						}
					}
				}
				m := c.macro()
				if p, _, _ := c.of(2); p < 0.88 {
					m--
				}
				if float64(right) < 0.88*float64(said) {
					m--
				}
				if m > top {
					top, best = m, by
				}
			}
		}
	}
	return best
}

// across judges every example by weights and thresholds learnt without its fold; it counts part a.
func across(all []example, small float64, way int) (gs []guess, c, unruled counts) {
	for fold := range 10 {
		var es []example
		for _, e := range all {
			if e.fold[way] != fold {
				es = append(es, e)
			}
		}
		w := learn(es, small)
		for _, e := range all {
			if e.fold[way] == fold {
				g := guess{chances{none: 1}, e}
				if e.x != nil {
					g.p = judge(e.x, w)
				}
				gs = append(gs, g)
			}
		}
	}
	for fold := range 10 {
		by := thresholds(gs, way, fold)
		for _, g := range gs {
			if g.e.fold[way] == fold && g.e.part == "a" {
				c[g.e.is][g.prompt(by)]++
			} else if g.e.fold[way] == fold {
				unruled[g.e.is][g.prompt(by)]++
			}
		}
	}
	return gs, c, unruled
}

// TestTrain learns the weights, with -train:
//
//	go test ./internal/evolve -run TestTrain -train -v
func TestTrain(t *testing.T) {
	if len(weights) != len(featureNames) {
		t.Errorf("%d weights of %d features", len(weights), len(featureNames))
	}
	if !*retrain {
		return
	}
	var own, late []example
	var alone counts
	for _, e := range met(t) {
		if e.part == "b" {
			late = append(late, e)
			continue
		}
		own = append(own, e)
		alone[e.is][e.ruled]++
	}
	more := unruled(t)
	t.Logf("%d pairs first met, %d without rules; rules alone: %v", len(own), len(more), alone)
	top, small, by := 0.0, 0.0, least{}
	own = append(own, more...)
	for _, s := range []float64{2, 4, 8} {
		mean := 0.0
		var all []guess
		for way := range 3 {
			gs, c, rest := across(own, s, way)
			t.Logf("held small by %v, folds %d: %v; without rules: %v", s, way+1, c, rest)
			mean += c.macro() / 3
			all = append(all, gs...)
		}
		m := thresholds(all, 0, -1)
		t.Logf("held small by %v: macro-F1 %.3f, thresholds %.2f", s, mean, m)
		if mean > top {
			top, small, by = mean, s, m
		}
	}
	write(t, learn(append(own, late...), small), by)
}

func write(t *testing.T, ws []weight, by least) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Written by go test -run TestTrain -train. DO NOT EDIT.\n\npackage evolve\n\n")
	fmt.Fprintf(
		&b, "// atLeast are the chances at which a relation is told.\nvar atLeast = least{%.2f, %.2f, %.2f, %.2f}\n\n",
		by.update, by.contradict, by.ruled, by.unrelated,
	)
	fmt.Fprintf(
		&b,
		"// weights are those of the features, in their order: for none, update, contradict.\nvar weights = []weight{\n",
	)
	round := func(v float64) float64 { return math.Round(1000*v)/1000 + 0 }
	for i, w := range ws {
		fmt.Fprintf(&b, "{%v, %v, %v}, // %s\n", round(w.none), round(w.update), round(w.contradict), featureNames[i])
	}
	fmt.Fprintln(&b, "}")
	src, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("weights.go", src, 0o644); err != nil {
		t.Fatal(err)
	}
}
