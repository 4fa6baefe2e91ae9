package cli

import (
	"io"
	"time"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// readPatience is how long a hook waits for the end of what its host tells it.
const readPatience = 2 * time.Second

// What is read at once, in bytes: most events are short.
const (
	leastPart = 8 << 10
	mostPart  = 64 << 10
)

// readEvent reads what a host tells, to its end: a host may fail that cannot write all of it. Of
// more than an event may have, one byte is returned beyond that. Late says that no end came.
func readEvent(in io.Reader) (text []byte, late bool) {
	chunks := make(chan []byte)
	done := make(chan struct{})
	defer close(done)
	go func() {
		defer close(chunks)
		for size := leastPart; ; {
			part := make([]byte, size)
			n, err := in.Read(part)
			if n == size {
				size = mostPart // there is much of it
			}
			select {
			case chunks <- part[:n]:
			case <-done:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	patience := time.NewTimer(readPatience)
	defer patience.Stop()
	for {
		select {
		case part, more := <-chunks:
			if !more {
				return text, false
			}
			text = append(text, part[:min(len(part), hosts.MaxEvent+1-len(text))]...)
		case <-patience.C:
			return text, true
		}
	}
}
