package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/follow"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/strict"
	"github.com/stemma-memory/stemma/internal/toolset"
	"github.com/stemma-memory/stemma/internal/work"
	"github.com/stemma-memory/stemma/memory"
)

// MaxRequest is how many bytes a request may have.
const MaxRequest = 2 << 20

// Serve answers one client on a pipe, until it hangs up or ctx ends. What it asked
// before is answered first. The store is opened by the first call, and closed.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) (err error) {
	store := &opened{open: o.Open, o: o}
	o.Wrote, o.held = store.wrote, newHeld()
	s, err := server(o, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.close()) }()
	v := &voice{id: "pipe", agent: o.Agent, session: o.Session, made: "mcp-" + rand.Text()[:16], engine: store.engine}
	err = s.Run(context.WithValue(ctx, voiceKey{}, v), &pipe{in, out, o.held})
	if ctx.Err() != nil {
		return nil // told to end
	}
	return err
}

// opened is a store that is opened when it is first needed. One that could not be
// is tried again.
type opened struct {
	sync.Mutex
	open func(context.Context) (*engine.Engine, error)
	e    *engine.Engine
	none *engine.Engine // read in place of one that is not there yet
	past []io.Closer    // engines on files that others lie in the place of: calls may still use them
	o    Options

	worker   *work.Worker
	follower *follow.Follower // nil where nobody wants one
	halt     context.CancelFunc
	beside   sync.WaitGroup
}

// engine returns the engine for a call. Another process may make the store meanwhile, so
// each call that reads before there is one asks again.
func (o *opened) engine(ctx context.Context, writes bool) (*engine.Engine, error) {
	o.Lock()
	defer o.Unlock()
	o.worker.Asked()
	if o.e != nil && o.e.FileReplaced() {
		if err := o.again(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
	}
	if o.e != nil {
		if o.o.Fresh != nil {
			o.o.Fresh(context.WithoutCancel(ctx), o.e)
		}
		return o.e, nil
	}
	if !writes && o.o.Empty != nil {
		none, err := o.o.Empty(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		if none != nil {
			return o.still(none)
		}
	}
	e, err := o.open(context.WithoutCancel(ctx)) // it serves other calls too
	if err != nil {
		return nil, err
	}
	o.e = e
	return e, o.alongside(ctx)
}

// again opens the file that lies where the store was, if that is this person's.
func (o *opened) again(ctx context.Context) error {
	e, err := o.open(ctx)
	if err != nil {
		return err
	}
	if o.halt != nil {
		o.halt()
	}
	o.past, o.e = append(o.past, o.e), e
	return o.alongside(ctx)
}

// still keeps one engine on nothing, which calls that are under way may use until the
// server ends.
func (o *opened) still(none *engine.Engine) (*engine.Engine, error) {
	if o.none == nil {
		o.none = none
		return none, nil
	}
	return o.none, none.Close()
}

// workFirst is how long after a store was opened what was left for later is looked for: the
// first answers come before it.
const workFirst = time.Second

// alongside does in the background what was left for later, and exchanges records with the
// store's remotes.
func (o *opened) alongside(ctx context.Context) error {
	agent, err := o.e.As(engine.Caller{Origin: memory.OriginAgent, Agent: o.o.Agent})
	if err != nil {
		return err
	}
	say := o.o.Say
	if say == nil {
		say = func(string, ...any) {}
	}
	ctx, o.halt = context.WithCancel(context.WithoutCancel(ctx))
	o.worker = work.New(agent, work.Options{First: workFirst, Say: say})
	o.beside.Go(func() { o.worker.Run(ctx) })
	if o.o.Follow == nil {
		return nil
	}
	if every := o.o.Follow(); every > 0 {
		o.follower = follow.New(follow.Options{Store: agent, Every: every, Say: say})
		o.beside.Go(func() { o.follower.Run(ctx) })
	}
	return nil
}

// wrote says that something was written.
func (o *opened) wrote() {
	o.Lock()
	defer o.Unlock()
	o.worker.Wake()
	o.follower.Wake()
}

func (o *opened) close() (err error) {
	o.Lock()
	defer o.Unlock()
	if o.none != nil {
		defer func() { err = errors.Join(err, o.none.Close()) }()
	}
	if o.e == nil {
		return nil
	}
	if o.halt != nil {
		o.halt()
		o.beside.Wait()
	}
	for _, e := range o.past {
		err = errors.Join(err, e.Close())
	}
	return errors.Join(err, o.e.Close())
}

// pipe is the transport: a message a line. Unlike the one of the library, it
// answers a line that is no message instead of hanging up, and does not hang up
// before what was asked is answered.
type pipe struct {
	in   io.Reader
	out  io.Writer
	held *held
}

func (p *pipe) Connect(context.Context) (mcp.Connection, error) {
	c := &lines{
		out: p.out, held: p.held, lines: make(chan line), closed: make(chan struct{}), idle: make(chan struct{}, 1),
	}
	go c.scan(p.in) // ends with the input; a process that ends does not wait for it
	return c, nil
}

// line is one line of the input, or its error.
type line struct {
	text []byte
	err  error
}

var errTooLong = errors.New("too long")

type lines struct {
	lines  chan line
	closed chan struct{}
	once   sync.Once
	held   *held
	keeps  atomic.Bool // ids that the library would change came

	sync.Mutex // guards what follows
	out        io.Writer
	asked      map[jsonrpc.ID]asking // requests not answered yet
	idle       chan struct{}         // something was answered
}

// asking is how it is with a request.
type asking int

const (
	waits asking = iota + 1
	cancelled
)

// scan reads lines until the input ends.
func (c *lines) scan(in io.Reader) {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		text, err := oneLine(r)
		select {
		case c.lines <- line{text, err}:
		case <-c.closed:
			return
		}
		if err != nil && err != errTooLong {
			return
		}
	}
}

// oneLine reads a line; one that is too long is read to its end and dropped.
func oneLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(text)+len(part) > MaxRequest; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case long && err == nil:
			return nil, errTooLong
		case err == io.EOF && len(bytes.TrimSpace(text)) > 0:
			return text, nil
		default:
			return text, err
		}
	}
}

// Read returns the next message. Invalid lines are answered here.
func (c *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l = <-c.lines:
		}
		switch {
		case l.err == errTooLong:
			c.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a request has at most %d bytes", MaxRequest))
			continue
		case l.err != nil:
			c.drain(ctx)
			return nil, io.EOF
		}
		text := bytes.TrimSpace(l.text)
		if len(text) == 0 {
			continue
		}
		msg, kept, err := message(text)
		if err != nil {
			c.refuse(idOf(text), err.Code, err.Message)
			continue
		}
		if kept {
			c.keeps.Store(true)
		}
		if r, ok := msg.(*jsonrpc.Request); ok {
			c.note(r)
		}
		return msg, nil
	}
}

// note keeps which requests wait for their answers, and which of them want none any more.
func (c *lines) note(r *jsonrpc.Request) {
	c.Lock()
	defer c.Unlock()
	if r.IsCall() && r.Method != "subscriptions/listen" {
		if c.asked == nil {
			c.asked = make(map[jsonrpc.ID]asking)
		}
		c.asked[r.ID] = waits
	}
	if id, is := cancels(r); is && c.asked[id] == waits {
		c.asked[id] = cancelled
	}
}

// message reads one message, and reports whether ids in it are kept; arrays of messages are of an older protocol.
func message(text []byte) (msg jsonrpc.Message, kept bool, wrong *jsonrpc.Error) {
	switch {
	case !json.Valid(text):
		return nil, false, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "this line is no JSON"}
	case text[0] != '{':
		return nil, false, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a message is one object on one line"}
	case ops.Nests(text) > ops.MaxDepth:
		return nil, false, &jsonrpc.Error{
			Code:    jsonrpc.CodeInvalidRequest,
			Message: fmt.Sprintf("the message nests deeper than %d", ops.MaxDepth),
		}
	}
	if err := unlike(text); err != nil {
		return nil, false, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	}
	text, kept = keep(text)
	msg, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, false, &jsonrpc.Error{
			Code: jsonrpc.CodeInvalidRequest, Message: "not a JSON-RPC 2.0 message: " + err.Error(),
		}
	}
	return msg, kept, nil
}

// unlike says what a reader of a message would lose. What is wrong with the arguments
// of a call is left for the answer of the tool, which the model reads.
func unlike(text []byte) error {
	err := strict.Valid(text, nil)
	var wrong *strict.Error
	if errors.As(err, &wrong) && strings.HasPrefix(wrong.Member, "params.arguments") {
		return nil
	}
	return err
}

// idOf returns the id of an unreadable message, nil if there is none.
func idOf(text []byte) json.RawMessage {
	var m struct{ ID json.RawMessage }
	if json.Unmarshal(text, &m) != nil || len(m.ID) == 0 || m.ID[0] == '{' || m.ID[0] == '[' {
		return nil
	}
	return m.ID
}

// drain waits until what was asked is answered.
func (c *lines) drain(ctx context.Context) {
	for {
		c.Lock()
		done := len(c.asked) == 0
		c.Unlock()
		if done {
			return
		}
		select {
		case <-c.idle:
		case <-c.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// refuse answers an invalid message.
func (c *lines) refuse(id json.RawMessage, code int64, text string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	answer, _ := json.Marshal(
		map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": toolset.Harmless(text)}},
	)
	c.Lock()
	defer c.Unlock()
	_, _ = c.out.Write(append(answer, '\n'))
}

func (c *lines) Close() error {
	c.once.Do(func() { close(c.closed) })
	return nil
}

func (c *lines) SessionID() string { return "" }
