package carrier

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// mostFrame bounds one request or reply on a pipe, in bytes.
const mostFrame = 2 * peer.MostBytes * 4 / 3

// question is one request on a pipe, a line of JSON; answer is its reply.
type question struct {
	Op string          `json:"op"`
	In json.RawMessage `json:"in"`
}

type answer struct {
	Out   json.RawMessage `json:"out,omitempty"`
	Code  string          `json:"code,omitempty"` // of an error that asking again does not mend
	Error string          `json:"error,omitempty"`
}

// Serve answers requests from one pipe on another until the first ends.
func Serve(ctx context.Context, r io.Reader, w io.Writer, remote peer.Remote) error {
	in := lines(r)
	out := bufio.NewWriter(w)
	for in.Scan() {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := json.Marshal(answered(ctx, remote, in.Bytes()))
		if err != nil {
			return err
		}
		if _, err := out.Write(append(raw, '\n')); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return in.Err()
}

func lines(r io.Reader) *bufio.Scanner {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), mostFrame)
	return s
}

// answered does one request.
func answered(ctx context.Context, remote peer.Remote, raw []byte) answer {
	var q question
	if err := strictly(raw, &q); err != nil {
		return answer{Code: peer.Code(peer.ErrRequest), Error: err.Error()}
	}
	var out any
	var err error
	switch q.Op {
	case "hello":
		out, err = do(ctx, q.In, remote.Hello)
	case "offer":
		out, err = do(ctx, q.In, remote.Offer)
	case "push":
		out, err = do(ctx, q.In, remote.Push)
	case "log":
		out, err = do(ctx, q.In, remote.Log)
	case "fetch":
		out, err = do(ctx, q.In, remote.Fetch)
	case "keys":
		out, err = do(ctx, q.In, remote.Keys)
	case "cosign":
		out, err = do(ctx, q.In, remote.Cosign)
	case "prove":
		out, err = do(ctx, q.In, remote.Prove)
	default:
		err = fmt.Errorf("%w: unknown operation %.40q", peer.ErrRequest, q.Op)
	}
	if err == nil {
		var a answer
		if a.Out, err = json.Marshal(out); err == nil {
			return a
		}
	}
	return answer{Code: peer.Code(err), Error: err.Error()}
}

func do[In, Out any](ctx context.Context, raw []byte, f func(context.Context, In) (Out, error)) (any, error) {
	var in In
	if err := strictly(raw, &in); err != nil {
		return nil, fmt.Errorf("%w: %w", peer.ErrRequest, err)
	}
	return f(ctx, in)
}

func strictly(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("text after the request")
	}
	return nil
}

// Pipe is a peer at the other end of two pipes.
type Pipe struct {
	mu     sync.Mutex
	in     *bufio.Scanner
	out    io.Writer
	gone   func(error) error // says why the other end is gone; nil where nobody knows
	failed error             // what ended it
}

// NewPipe speaks to a peer that Serve serves.
func NewPipe(r io.Reader, w io.Writer) *Pipe { return &Pipe{in: lines(r), out: w} }

// ask sends one request and waits for its reply. Once a pipe has failed it stays so:
// what comes next may be the reply to another request.
func ask[In, Out any](p *Pipe, op string, in In) (out Out, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed != nil {
		return out, p.failed
	}
	body, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	raw, err := json.Marshal(question{op, body})
	if err != nil {
		return out, err
	}
	a, err := p.answer(append(raw, '\n'))
	if err != nil {
		p.failed = err
		return out, err
	}
	if a.Error != "" {
		return out, peer.Coded(a.Code, a.Error)
	}
	if err := peer.Decode(a.Out, &out); err != nil {
		p.failed = fmt.Errorf("the other end answers %s with something else: %w", op, err)
	}
	return out, p.failed
}

// answer writes a request and reads the next line.
func (p *Pipe) answer(request []byte) (a answer, err error) {
	if _, err := p.out.Write(request); err != nil {
		return a, p.why(fmt.Errorf("the other end is gone: %w", err))
	}
	if !p.in.Scan() {
		if err := p.in.Err(); err != nil {
			return a, err
		}
		return a, p.why(errors.New("the other end closed the connection"))
	}
	if err := strictly(p.in.Bytes(), &a); err != nil {
		const enough = 80
		return a, fmt.Errorf(
			"the other end does not speak as a peer, it says %q: if that is a greeting of its shell, let it greet at "+
				"terminals only",
			shorten.To(p.in.Text(), enough),
		)
	}
	return a, nil
}

func (p *Pipe) why(err error) error {
	if p.gone == nil {
		return err
	}
	return p.gone(err)
}

// Hello and the others ask the peer at the other end.
func (p *Pipe) Hello(_ context.Context, in peer.Hello) (peer.Welcome, error) {
	return ask[peer.Hello, peer.Welcome](p, "hello", in)
}

// Offer asks what the peer wants.
func (p *Pipe) Offer(_ context.Context, in peer.Offer) (peer.Wanted, error) {
	return ask[peer.Offer, peer.Wanted](p, "offer", in)
}

// Push returns records.
func (p *Pipe) Push(_ context.Context, in peer.Push) (peer.Acks, error) {
	return ask[peer.Push, peer.Acks](p, "push", in)
}

// Log asks for a page of a log.
func (p *Pipe) Log(_ context.Context, in peer.LogRequest) (peer.LogPage, error) {
	return ask[peer.LogRequest, peer.LogPage](p, "log", in)
}

// Fetch asks for records.
func (p *Pipe) Fetch(_ context.Context, in peer.Fetch) (peer.Lines, error) {
	return ask[peer.Fetch, peer.Lines](p, "fetch", in)
}

// Keys asks for the key records of a space.
func (p *Pipe) Keys(_ context.Context, in peer.KeysRequest) (peer.KeyList, error) {
	return ask[peer.KeysRequest, peer.KeyList](p, "keys", in)
}

// Cosign shows the own log.
func (p *Pipe) Cosign(_ context.Context, in peer.CosignRequest) (peer.Cosigned, error) {
	return ask[peer.CosignRequest, peer.Cosigned](p, "cosign", in)
}

// Prove asks for a proof.
func (p *Pipe) Prove(_ context.Context, in peer.ProveRequest) (peer.Proof, error) {
	return ask[peer.ProveRequest, peer.Proof](p, "prove", in)
}
