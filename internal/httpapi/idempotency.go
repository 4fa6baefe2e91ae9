package httpapi

import (
	"container/list"
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/ops"
)

// What is remembered of answers given under a key, in memory alone: how long, and
// at most how much.
const (
	mostKey       = 200
	answersLast   = 24 * time.Hour
	mostAnswers   = 4096
	mostRemember  = 16 << 20 // bytes in all
	mostOneAnswer = mostRemember / 4
)

// answers are the answers given under a key, so that a repeated request gets the same answer
// and nothing is done twice.
type answers struct {
	now func() time.Time

	sync.Mutex
	known  map[[32]byte]*list.Element
	order  list.List // the oldest first
	bytes  int
	purges string // as it was when something was asked last
}

// given is one answer, or one that is being found.
type given struct {
	question [32]byte
	body     [32]byte
	until    time.Time
	purges   string        // see Purges of the engine: as it was before the answer was found
	found    chan struct{} // closed when it is
	answer   *answer       // nil where there is none to be given again
}

// question identifies a request: its content, its caller and its key. It is independent of the
// connection, since a retry uses another one.
func question(r *http.Request, op, key string) [32]byte {
	c, _ := access.CallerOf(r.Context())
	text := ""
	for _, part := range []string{
		string(c.Origin), c.Agent, c.Session, c.Space, c.Project, op, key, r.Header.Get(AnswerHeader),
	} {
		text += part + "\x00"
	}
	return sha256.Sum256([]byte(text))
}

// once returns the stored answer to a question, or computes it. The same key with another body
// is refused.
//
// An answer from before a purge is neither repeated nor kept: purges is the current value of
// Engine.Purges.
func (s *answers) once(
	ctx context.Context, question [32]byte, body []byte, purges string, find func() *answer,
) (*answer, error) {
	sum := sha256.Sum256(body)
	for {
		g, first := s.ask(question, sum, purges)
		if g.body != sum {
			return nil, &wrong{
				http.StatusUnprocessableEntity, kindReused,
				"Idempotency-Key: it was used with another request; each request has a key of its own",
			}
		}
		if first {
			return s.keep(g, find), nil
		}
		select {
		case <-g.found:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		s.Lock()
		got := g.answer
		s.Unlock()
		if got == purgedSince {
			return nil, &wrong{
				http.StatusConflict, ops.StatusOf(api.ErrConflict).Name,
				"Idempotency-Key: the request was answered, and the answer was dropped when memories were purged; nothing " +
					"is done again",
			}
		}
		if got != nil {
			again := *got
			again.header = map[string]string{"Idempotent-Replayed": "true"}
			for name, text := range got.header {
				again.header[name] = text
			}
			return &again, nil
		}
		// the first came to nothing that lasts: this one tries
	}
}

// purgedSince replaces an answer that may contain words purged since.
var purgedSince = new(answer)

// purged drops the stored answers: a repeated request is told only that it was done. The
// caller holds the lock.
func (s *answers) purged() {
	for at := s.order.Front(); at != nil; at = at.Next() {
		if g := at.Value.(*given); g.answer != nil {
			s.bytes -= len(g.answer.body)
			g.answer = purgedSince
		}
	}
}

// ask returns the stored state of a question, and whether the caller is the first to ask.
func (s *answers) ask(question, body [32]byte, purges string) (*given, bool) {
	s.Lock()
	defer s.Unlock()
	if purges != s.purges {
		s.purged()
		s.purges = purges
	}
	if s.known == nil {
		s.known = make(map[[32]byte]*list.Element)
	}
	for at := s.order.Front(); at != nil && !at.Value.(*given).until.After(s.now()); at = s.order.Front() {
		s.drop(at)
	}
	if at, ok := s.known[question]; ok {
		return at.Value.(*given), false
	}
	g := &given{
		question: question, body: body, purges: purges, until: s.now().Add(answersLast),
		found: make(chan struct{}),
	}
	s.known[question] = s.order.PushBack(g)
	return g, true
}

// keep finds an answer, and keeps it where it would be the same another time.
func (s *answers) keep(g *given, find func() *answer) *answer {
	var got *answer
	defer func() {
		s.Lock()
		defer s.Unlock()
		at := s.known[g.question]
		kept := at != nil && at.Value == any(g) // it may have been dropped meanwhile
		switch lasts := got != nil && got.status < http.StatusInternalServerError && len(got.body) <= mostOneAnswer; {
		case lasts && kept && g.purges != s.purges: // meanwhile
			g.answer = purgedSince
		case lasts && kept:
			g.answer = got
			s.bytes += len(got.body)
		case kept:
			s.drop(at)
		}
		close(g.found)
		for (s.bytes > mostRemember || s.order.Len() > mostAnswers) && s.order.Len() > 1 {
			s.drop(s.order.Front())
		}
	}()
	got = find()
	return got
}

// drop forgets one. The lock is held.
func (s *answers) drop(at *list.Element) {
	g := at.Value.(*given)
	if g.answer != nil {
		s.bytes -= len(g.answer.body)
	}
	delete(s.known, g.question)
	s.order.Remove(at)
}
