package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/peer"
)

// errClock says that a proof was made by a clock that differs too much from the hub's.
var errClock = errors.New("the clock of this machine differs from the hub's by more than 5 minutes")

// errBody says that a body is not the one that was proven.
var errBody = errors.New("the body is not the one that the request proves")

// proven returns the key that signed a request with a token, and has the body compared while it is read. The error is
// peer.ErrProof or errClock.
func (s *Server) proven(r *http.Request, token string) (key string, err error) {
	p, err := peer.ReadRequestProof(r.Header.Get(peer.ProofHeader), s.o.Name, r.Method, r.URL.EscapedPath(), token)
	if err != nil {
		return "", peer.ErrProof
	}
	if away := s.o.Now().Sub(time.UnixMilli(p.At)); away > peer.ProofSkew || away < -peer.ProofSkew {
		return "", errClock
	}
	r.Body = &provenBody{ReadCloser: r.Body, sum: sha256.New(), want: p.Body}
	return p.Key, nil
}

// clockOff tells a client the hub's time.
func (s *Server) clockOff(w http.ResponseWriter) {
	w.Header().Set(peer.TimeHeader, strconv.FormatInt(s.o.Now().UnixMilli(), 10))
	access.Refuse(w, http.StatusUnauthorized, "clock", errClock.Error()+"; the hub's is "+
		s.o.Now().UTC().Format(time.RFC3339))
}

// provenBody fails at its end where the body is another than was proven.
type provenBody struct {
	io.ReadCloser
	sum  hash.Hash
	want string
}

func (b *provenBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.sum.Write(p[:n])
	if err == io.EOF && hex.EncodeToString(b.sum.Sum(nil)) != b.want {
		return n, errBody
	}
	return n, err
}
