package hub

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// usedWithin is how exactly it is kept when a token was used: it is written at most once a minute, not with each
// request.
const usedWithin = time.Minute

// mostUses is of how many tokens a process remembers when it wrote their last use.
const mostUses = 10_000

// uses remembers when the last use of tokens was written. What is being written is waited for at the end.
type uses struct {
	mu      sync.Mutex
	written map[string]time.Time
	under   sync.WaitGroup
}

// due reports whether the use of a token is to be written.
func (u *uses) due(token string, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if at, ok := u.written[token]; ok && now.Sub(at) < usedWithin {
		return false
	}
	if u.written == nil || len(u.written) >= mostUses {
		u.written = make(map[string]time.Time)
	}
	u.written[token] = now
	return true
}

// note keeps when and from where a token was used, beside the answer.
func (s *Server) note(r *http.Request, who *account) {
	now, from, token := s.o.Now(), address(r), who.token.ID
	if !s.uses.due(token, now) {
		return
	}
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), patience)
	s.uses.under.Go(func() {
		defer cancel()
		if err := s.o.Store.UseToken(ctx, token, now, from); err != nil {
			s.o.Log.Warn("not noted that a token was used", "token", token, "error", err.Error())
		}
	})
}

// Settle waits until what is written beside answers is written.
func (s *Server) Settle() { s.uses.under.Wait() }
