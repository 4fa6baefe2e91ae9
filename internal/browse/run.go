package browse

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// What the terminal is told: another screen with no cursor and pasted text
// marked as such; each picture at once; and all of it back again.
const (
	begin = "\x1b[?1049h\x1b[?25l\x1b[?2004h"
	frame = "\x1b[?2026h\x1b[H"
	shown = "\x1b[J\x1b[?2026l"
	leave = "\x1b[?2004l\x1b[?25h\x1b[?1049l"
)

// The size where a terminal does not tell its own.
const (
	usualWidth  = 80
	usualHeight = 24
)

// Run walks with a person at a terminal until they leave. The terminal is as it
// was when Run returns.
func Run(ctx context.Context, m *Model, in, out *os.File) error {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal takes no single keys: %w", err)
	}
	defer term.Restore(int(in.Fd()), before) //nolint:errcheck // there is nobody left to tell
	if _, err := io.WriteString(out, begin); err != nil {
		return err
	}
	defer io.WriteString(out, leave) //nolint:errcheck // as above
	resized, stop := resizes()
	defer stop()
	typed := make(chan []byte)
	wanted := make(chan struct{})
	ended := make(chan struct{})
	go func() { // reads only when told to, so that it ends with us
		defer close(ended)
		for range wanted {
			b := make([]byte, 4096)
			n, err := in.Read(b)
			if err != nil {
				n = 0
			}
			select {
			case typed <- b[:n]:
			case <-ctx.Done():
				return
			}
		}
	}()
	var keys Keys
	asked := false
	for !m.Done() {
		if err := draw(m, out); err != nil {
			return err
		}
		if !asked {
			wanted <- struct{}{}
			asked = true
		}
		select {
		case b := <-typed:
			asked = false
			if len(b) == 0 { // the terminal is gone
				m.done = true
			}
			for _, k := range keys.Read(b) {
				if m.Press(ctx, k); m.Done() {
					break
				}
			}
		case <-resized:
		case <-ctx.Done():
			return nil // its read ends with the process
		}
	}
	close(wanted)
	<-ended
	return nil
}

// draw puts the whole screen onto the terminal.
func draw(m *Model, out *os.File) error {
	width, height, err := term.GetSize(int(out.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		width, height = usualWidth, usualHeight
	}
	text := strings.ReplaceAll(m.Screen(width, height), "\n", "\x1b[K\r\n")
	_, err = io.WriteString(out, frame+text+shown)
	return err
}
