// Command turns compares two programs by turns: see scripts/turns.sh.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("turns: ")
	dir := flag.String("dir", "", "where the stores are")
	talk := flag.String("talk", "", "the input they are made from")
	turns := flag.Int("turns", 7, "how often each measure is taken")
	path := flag.String("path", "", "where programs are looked for")
	plain := flag.String("plain", "", "statements that make a table and insert %s, with a | between")
	only := flag.String("only", ".", "which measures, an expression")
	flag.Parse()
	if flag.NArg() != 2 {
		log.Fatal("usage: turns [flags] OLD NEW")
	}
	if err := run(*dir, *talk, *path, *plain, *turns, *only, flag.Arg(0), flag.Arg(1)); err != nil {
		log.Fatal(err)
	}
}

// run makes what is not there yet, and takes the measures.
func run(dir, talk, path, plain string, turns int, only, older, newer string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	asks, err := readQuestions(talk)
	if err != nil {
		return err
	}
	var sides [2]*side
	for i, program := range []string{older, newer} {
		home := filepath.Join(dir, strings.TrimSuffix(filepath.Base(talk), ".jsonl"), filepath.Base(program))
		if sides[i], err = newSide(program, home, path, talk); err != nil {
			return err
		}
	}
	fmt.Println("| measure | turns | old, ms | new, ms | new to old |")
	fmt.Println("|---|---|---|---|---|")
	for _, m := range measures(plain) {
		if !wanted.MatchString(m.name) {
			continue
		}
		if err := take(m, sides, turns, asks); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

// take takes one measure by turns, and prints its row.
func take(m measure, sides [2]*side, turns int, asks *questions) error {
	var took [2][]float64
	var ratios []float64
	var taking [2]func([]string) (time.Duration, error)
	var enders []func() error
	for i, s := range sides {
		t, end, err := m.begin(s)
		if err != nil {
			return err
		}
		taking[i], enders = t, append(enders, end)
	}
	for range turns {
		some := asks.next(m.calls)
		var at [2]float64
		for i := range sides {
			d, err := taking[i](some)
			if err != nil {
				return err
			}
			at[i] = float64(d.Microseconds()) / 1000 / float64(m.calls)
			took[i] = append(took[i], at[i])
		}
		ratios = append(ratios, at[1]/at[0])
	}
	var failed error
	for _, end := range enders {
		failed = errors.Join(failed, end())
	}
	slices.Sort(ratios)
	fmt.Printf("| %s | %d of %d | %.2f | %.2f | **%.2f** (%.2f to %.2f) |\n", m.name, turns, m.calls,
		median(took[0]), median(took[1]), median(ratios), ratios[0], ratios[len(ratios)-1])
	return failed
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return (of[len(of)/2] + of[(len(of)-1)/2]) / 2
}

// questions are words that were said, no question twice.
type questions struct {
	*rand.Rand
	said []string
	seen map[string]bool
}

func readQuestions(talk string) (*questions, error) {
	text, err := os.ReadFile(talk)
	if err != nil {
		return nil, err
	}
	q := &questions{Rand: rand.New(rand.NewPCG(7, 7)), seen: make(map[string]bool)}
	for line := range bytes.Lines(text) {
		var l struct{ Text string }
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, err
		}
		q.said = append(q.said, l.Text)
	}
	return q, nil
}

// next returns questions of 3 to 8 words of a record.
func (q *questions) next(n int) []string {
	const least, most = 3, 8
	var out []string
	for len(out) < n {
		words := strings.Fields(q.said[q.IntN(len(q.said))])
		if len(words) < least {
			continue
		}
		q.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		one := strings.Join(words[:min(len(words), least+q.IntN(most-least+1))], " ")
		if !q.seen[one] {
			q.seen[one] = true
			out = append(out, one)
		}
	}
	return out
}

// refs returns the refs of a list in JSON.
func refs(list []byte) []string {
	var out []string
	for _, m := range regexp.MustCompile(`"ref": ?"([^"]+)"`).FindAllSubmatch(list, -1) {
		if ref := string(m[1]); !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// first returns the first ref of a reply, or an error.
func first(reply []byte) (string, error) {
	all := refs(reply)
	if len(all) == 0 {
		return "", fmt.Errorf("no ref in %.300s", cmp.Or(string(reply), "nothing"))
	}
	return all[0], nil
}
