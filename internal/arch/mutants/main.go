// Command mutants says what the tests of a package do not see:
//
//	go run ./internal/arch/mutants [-n 200] [-seed 1] [-even] [-at FILE[:LINE]] [DIRECTORY ...]
//
// It changes one thing at a time: a comparison, a bound, a condition, an operator, or a
// statement that goes. The package's own tests run on each change. A change is killed if
// they fail or take too long, and alive if they pass: then a test is missing, or the code
// says more than it does. One that does not compile does not count. Changes that nothing
// can see are in equivalent.txt, with the reason.
//
// The tree is never edited: go test reads the changed file through -overlay. A seed draws
// the same changes again, also when the lines around them are others. Larger packages have
// more of them, except with -even. The tests of two changes run at a time.
package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/arch/typed"
)

// rooms are the packages that are mutated unless others are named: small ones, whose own
// tests must hold them without help from those of the engine.
var rooms = []string{
	"memory", "internal/bearing", "internal/decisions", "internal/engine/trust", "internal/graph", "internal/layout",
	"internal/ledger", "internal/lineage", "internal/markdown", "internal/pack", "internal/rank", "internal/salience",
	"internal/shorten", "internal/state", "internal/strict", "internal/trust", "internal/words",
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutants: ")
	n := flag.Int("n", 200, "how many changes to try; 0 is all")
	seed := flag.Uint64("seed", 1, "which changes are drawn")
	even := flag.Bool("even", false, "draw as many changes of each package")
	at := flag.String("at", "", "only changes in this file, or at FILE:LINE of it")
	limit := flag.Duration("limit", time.Minute, "how long the tests of one change may take")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	d := draw{n: *n, seed: *seed, even: *even, at: *at, rooms: flag.Args()}
	if len(d.rooms) == 0 {
		d.rooms = rooms
	}
	alive, err := run(ctx, ".", d, *limit, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	if alive > 0 {
		log.Fatalf("%d alive", alive)
	}
}

// A draw says which changes are tried.
type draw struct {
	n     int
	seed  uint64
	even  bool
	at    string
	rooms []string
}

// of returns the changes of some packages in the order in which they are tried.
func (d draw) of(p *typed.Program, dir string) ([]mutant, error) {
	var all []mutant
	for _, room := range d.rooms {
		room = filepath.ToSlash(filepath.Clean(room))
		pkg := p.Package(p.Module + "/" + room)
		if pkg == nil {
			return nil, fmt.Errorf("%s is no package", room)
		}
		for _, file := range pkg.Files {
			name := p.File(file.Pos())
			short, err := filepath.Rel(dir, name)
			if err != nil {
				return nil, err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			for _, m := range mutantsOf(p.Set, file, pkg.Info, string(text)) {
				m.name, m.room = filepath.ToSlash(short), room
				if d.at == "" || d.at == m.name || d.at == m.place() {
					all = append(all, m)
				}
			}
		}
	}
	if d.at == "" {
		d.shuffle(all)
	}
	return all, nil
}

// shuffle puts changes in an order by chance that the seed and each change make alone: what
// else there is does not move them.
func (d draw) shuffle(all []mutant) {
	same := map[string]int{} // the same change twice in one file
	for i := range all {
		before, after := all[i].lines()
		key := fmt.Sprintf("%d %s %q %q", d.seed, all[i].name, flat(before), flat(after))
		all[i].lot = sha256.Sum256(fmt.Appendf(nil, "%s %d", key, same[key]))
		same[key]++
	}
	slices.SortFunc(all, func(a, b mutant) int { return bytes.Compare(a.lot[:], b.lot[:]) })
	if !d.even {
		return
	}
	had := map[string]int{}
	for i := range all {
		all[i].turn = had[all[i].room]
		had[all[i].room]++
	}
	slices.SortStableFunc(all, func(a, b mutant) int { return cmp.Compare(a.turn, b.turn) })
}

// run tries changes and returns how many the tests do not see.
func run(ctx context.Context, dir string, d draw, limit time.Duration, out io.Writer) (alive int, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return 0, err
	}
	same, err := equivalents(filepath.Join(dir, "internal/arch/mutants/equivalent.txt"))
	if err != nil {
		return 0, err
	}
	p, err := typed.Load(dir)
	if err != nil {
		return 0, err
	}
	all, err := d.of(p, dir)
	if err != nil {
		return 0, err
	}
	for _, room := range d.rooms {
		if said, err := pass(ctx, dir, room, nil, limit); said != passed {
			return 0, fmt.Errorf("the tests of %s do not pass as they are: %s %v", room, said, err)
		}
	}
	check := newChecker(p)
	var drawn, tried []mutant
	for _, m := range all {
		if d.n > 0 && len(drawn) == d.n && d.at == "" {
			break
		}
		if !check.compiles(m) {
			continue
		}
		drawn = append(drawn, m)
		if !slices.ContainsFunc(same, m.is) {
			tried = append(tried, m)
		}
	}
	count := map[verdict]int{}
	err = passAll(ctx, dir, tried, limit, func(m mutant, said verdict) {
		count[said]++
		if said == passed {
			fmt.Fprintf(out, "%s is alive: %s\n%s", m.place(), m.what, m.diff())
		}
	})
	if err != nil {
		return count[passed], err
	}
	fmt.Fprintf(out, "seed %d, %d changes of %s: %d killed, %d of them by time; %d equivalent, %d alive\n",
		d.seed, len(drawn)-count[broken], strings.Join(d.rooms, " "), count[failed]+count[late], count[late],
		len(drawn)-len(tried), count[passed])
	return count[passed], nil
}
