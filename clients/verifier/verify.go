//go:build js

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"syscall/js"

	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/quoting"
)

// chunk is how much of a file is read at a time.
const chunk = 1 << 20

// mostLines is of how many lines of a file the page shows the words.
const mostLines = 1000

// reply has the JSON that `stemma audit --json` prints.
type reply struct {
	report.Report
	Exit int `json:"exit"`
}

// packReply has what it prints of a pack.
type packReply struct {
	report.Pack
	Exit int `json:"exit"`
}

// main audits one file for the worker that started it, which has put three functions into the
// global object stemma: read(from, to) promises the bytes of the file there, done(json) takes the
// report, and failed(why) takes the reason why there is none. Its array checkpoints has texts. Its member answer has
// the bytes of an answer, if there is one; the file is a pack then.
func main() {
	// The memory of WebAssembly never shrinks: collect more often than usual.
	debug.SetGCPercent(25)
	host := js.Global().Get("stemma")
	out, err := verify(host)
	if err != nil {
		host.Call("failed", err.Error())
	} else {
		host.Call("done", string(out))
	}
	select {} // timers of the runtime may still call in; the worker is ended from outside
}

func verify(host js.Value) ([]byte, error) {
	o := audit.Options{Lines: mostLines}
	held := host.Get("checkpoints")
	for i := range held.Length() {
		o.Checkpoints = append(o.Checkpoints, []byte(held.Index(i).String()))
	}
	from := bufio.NewReaderSize(&file{host: host, size: host.Get("size").Float()}, headBytes)
	answer := host.Get("answer")
	head, _ := from.Peek(headBytes) // an error comes again
	switch {
	case !answer.IsUndefined() && !answer.IsNull():
		text := make([]byte, answer.Length())
		js.CopyBytesToGo(text, answer)
		return packed(audit.Pack(context.Background(), from, bytes.NewReader(text), o))
	case quoting.IsPack(head):
		return packed(audit.Pack(context.Background(), from, nil, o))
	}
	r, err := audit.Bundle(context.Background(), from, o)
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply{r, r.Exit()})
}

// headBytes is how much of a file tells a pack from a bundle.
const headBytes = 4 << 10

func packed(r report.Pack, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(packReply{r, r.Exit()})
}

// file reads what the worker was given, a chunk at a time.
type file struct {
	host     js.Value
	at, size float64
	rest     []byte
	buffer   [chunk]byte
}

func (f *file) Read(p []byte) (int, error) {
	if len(f.rest) == 0 {
		if f.at >= f.size {
			return 0, io.EOF
		}
		to := min(f.size, f.at+chunk)
		bytes, err := await(f.host.Call("read", f.at, to))
		if err != nil {
			return 0, err
		}
		n := js.CopyBytesToGo(f.buffer[:], bytes)
		if n != int(to-f.at) {
			return 0, fmt.Errorf("the file changed while it was read: %d bytes where %d were", n, int(to-f.at))
		}
		f.rest, f.at = f.buffer[:n], to
	}
	n := copy(p, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	settled := make(chan result, 1)
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- result{value: args[0]}
		return nil
	})
	defer kept.Release()
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- result{err: errors.New(js.Global().Get("String").Invoke(args[0]).String())}
		return nil
	})
	defer broken.Release()
	promise.Call("then", kept, broken)
	r := <-settled
	return r.value, r.err
}
