package store

import "time"

// A Job is work that a write left for later. It is local: no record, never signed
// and never synced. What it comes to is appended with a Batch that says so, and so
// is there once, however often the work was begun.
type Job struct {
	Key   string    // what it is: another with the same key is the same job
	Task  string    // a word
	Space string    // whose records it is about
	Body  []byte    // what the task needs to know, as JSON
	Made  time.Time // when it was first asked for
	Due   time.Time // not before
	Tries int       // how often it was taken

	Holder string    // who works on it; "" is nobody
	Until  time.Time // when another worker may take it

	Over time.Time // when it was done or given up; zero is not yet
	Gave bool      // it was given up
	Note string    // what it came to, or the last error
}

// Open reports whether the job is still to be done.
func (j *Job) Open() bool { return j.Over.IsZero() }

// Work names a job that is being worked on.
type Work struct{ Key, Holder string }

// Finished says that a batch is what a job came to. The batch is in conflict if the
// job is over, or is another's by now.
type Finished struct {
	Work
	Note string
}

// A JobQuery says which jobs are given, the oldest first, of one time by key.
type JobQuery struct {
	Tasks []string // none is all
	Keys  []string // none is all
	Open  bool     // only those still to be done
	Limit int      // 0 is all
}

// A Take asks for work.
type Take struct {
	Holder string
	Tasks  []string // none is any
	Keys   []string // none is any
	Until  time.Time
	All    bool // those that are not due yet too
}

// A PutBack ends one try without an outcome.
type PutBack struct {
	Work
	Due    time.Time // of the next try
	Note   string    // why
	GiveUp bool
}

// mostNoted bounds the note of a job, in bytes.
const mostNoted = 1000

// Noted cuts a note to the stored length.
func Noted(s string) string {
	if len(s) <= mostNoted {
		return s
	}
	cut := 0
	for i := range s {
		if i > mostNoted-len("…") {
			break
		}
		cut = i
	}
	return s[:cut] + "…"
}
