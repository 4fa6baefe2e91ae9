package lifecycle_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/model/sim"
	"github.com/stemma-memory/stemma/memory"
)

// The environment of a worker that is a process of its own.
const (
	workerStore = "STEMMA_TEST_WORKER"
	workerHours = "STEMMA_TEST_WORKER_HOURS" // how far its clock is ahead: leases of the dead have ended
)

func workerConfig(path string, hours int) engine.Config {
	return engine.Config{
		Databases: enginetest.Databases,
		KeyDir:    filepath.Join(filepath.Dir(path), "keys"), Origin: memory.OriginAgent,
		Now: func() time.Time { return time.Now().Add(time.Duration(hours) * time.Hour) },
		LLM: sim.Generator{Seed: 3, Faults: map[sim.Fault]float64{sim.Slow: 1}, Slow: 2 * time.Millisecond},
	}
}

// TestWorkerProcess is the worker, where the test below started it.
func TestWorkerProcess(t *testing.T) {
	path := os.Getenv(workerStore)
	if path == "" {
		return // nobody asked for it
	}
	hours, err := strconv.Atoi(os.Getenv(workerHours))
	if err != nil {
		t.Fatal(err)
	}
	e := open(t, path, workerConfig(path, hours))
	if _, err := e.RunJobs(t.Context(), api.RunJobsRequest{}); err != nil {
		t.Fatal(err)
	}
}

// TestKilledWorkers kills workers at random moments: nothing is lost, and nothing is
// there twice.
func TestKilledWorkers(t *testing.T) {
	const people, kills = 30, 15
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "memory.db")
	e := open(t, path, workerConfig(path, 0))
	for i := range people {
		for _, text := range []string{"Person%d works at Acme%d", "Person%d left Acme%d and joined Startup"} {
			if _, err := e.Remember(t.Context(), api.RememberRequest{Text: fmt.Sprintf(text, i, i)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	killed, hours := 0, 0
	for run := 0; ; run++ {
		hours++
		worker := exec.Command(os.Args[0], "-test.run=^TestWorkerProcess$")
		worker.Env = append(os.Environ(), workerStore+"="+path, workerHours+"="+strconv.Itoa(hours))
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		if run < kills {
			time.AfterFunc(time.Duration(20+random.IntN(180))*time.Millisecond, func() { _ = worker.Process.Kill() })
		}
		if err := worker.Wait(); err == nil {
			break
		} else if run >= kills {
			t.Fatalf("a worker that nobody killed ends with %v", err)
		}
		killed++
	}
	jobs, err := e.Jobs(t.Context(), api.OpenRequest{All: true, Limit: -1})
	if err != nil || jobs.Open != 0 {
		t.Fatalf("%d jobs are left, %v", jobs.Open, err)
	}
	list, err := e.List(t.Context(), api.ListRequest{Kind: "belief", Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, m := range list.Memories {
		count[m.Headline]++
	}
	links, err := e.Conflicts(t.Context(), api.OpenRequest{All: true, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	tied := make(map[string]int)
	for _, l := range links.Conflicts {
		tied[l.New.Headline+l.Old.Headline]++
	}
	for i := range people {
		for _, text := range []string{"Person%d works at Acme%d", "Person%d left Acme%d and joined Startup"} {
			if said := fmt.Sprintf(text, i, i); count[said] != 1 {
				t.Errorf("%q is there %d times", said, count[said])
			}
		}
	}
	for ends, n := range tied {
		if n != 1 {
			t.Errorf("%q are tied %d times", ends, n)
		}
	}
	if len(links.Conflicts) < people {
		t.Errorf("%d links, want %d at least", len(links.Conflicts), people)
	}
	t.Logf("%d of %d workers were killed, %d jobs done, %d links", killed, kills, len(jobs.Jobs), len(links.Conflicts))
}
