package importers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// longestMail bounds one mail, in bytes; its attachments count.
const longestMail = 64 << 20

// fromLine begins a mail in an mbox file.
var fromLine = lazy.Regexp(`^From \S+.*\d{2}:\d{2}`)

// headerLine begins a file that is one mail.
var headerLine = lazy.Regexp(`(?mi)^(from|date|subject|message-id|received|mime-version|delivered-to|return-path): `)

// isMbox reports whether a file is of mail: several in an mbox file, or one.
func isMbox(s *sight) bool {
	first, rest, _ := strings.Cut(s.head, "\n")
	if fromLine.Get().MatchString(first) {
		next, _, _ := strings.Cut(rest, "\n")
		name, _, colon := strings.Cut(next, ":")
		return colon && name != "" && !strings.Contains(name, " ")
	}
	head, _, _ := strings.Cut(strings.ReplaceAll(s.head, "\r\n", "\n"), "\n\n")
	return s.ext() == ".eml" && len(headerLine.Get().FindAllString(head, 3)) == 3
}

// readMbox reads mails: their words, who wrote them and when. What is attached is left out.
func readMbox(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		raw, err := f.raw() // each mail says how it is written
		if err != nil {
			return err
		}
		defer raw.Close()
		in := bufio.NewReaderSize(raw, 64<<10)
		n := 0
		var one bytes.Buffer
		long := false
		end := func() error {
			if one.Len() == 0 {
				return nil
			}
			n++
			row := "mail " + strconv.Itoa(n)
			h := newHeap()
			err := errors.New("is longer than 64 MiB")
			if !long {
				err = mailOne(h, row, one.Bytes())
			}
			one.Reset()
			long = false
			if err := r.bad(row, err); err != nil {
				return err
			}
			return r.part(h)
		}
		blank := true
		for {
			line, err := in.ReadSlice('\n')
			if blank && fromLine.Get().Match(line) {
				if err := end(); err != nil {
					return err
				}
				line = nil
			}
			blank = len(bytes.TrimRight(line, "\r\n")) == 0 && !errors.Is(err, bufio.ErrBufferFull)
			if quoted := bytes.TrimLeft(line, ">"); len(quoted) < len(line) && bytes.HasPrefix(quoted, []byte("From ")) {
				line = line[1:]
			}
			if long = long || one.Len()+len(line) > longestMail; !long {
				one.Write(line)
			}
			switch {
			case errors.Is(err, io.EOF):
				return end()
			case err != nil && !errors.Is(err, bufio.ErrBufferFull):
				return err
			}
		}
	})
}

// mailOne makes a raw of one mail.
func mailOne(h *heap, row string, raw []byte) error {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	text, err := mailText(h, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body, 0)
	if err != nil {
		return err
	}
	head := func(name string) string { return decodedHeader(m.Header.Get(name)) }
	who := head("From")
	names := &mail.AddressParser{WordDecoder: headerWords}
	if list, err := names.ParseList(m.Header.Get("From")); err == nil && len(list) > 0 {
		who = cmp.Or(list[0].Name, list[0].Address)
	}
	t := said{row: row, speaker: who, text: text, when: m.Header.Get("Date"), ext: with(nil, "subject", head("Subject"))}
	if at, err := m.Header.Date(); err == nil {
		t.when = at.UTC().Format(time.RFC3339)
	}
	t.ext = with(t.ext, "to", head("To"))
	id := strings.Trim(m.Header.Get("Message-Id"), "<> ")
	t.alias = "mail:" + cmp.Or(id, digestOf(who, t.when, text))
	thread := id
	for _, name := range []string{"In-Reply-To", "References"} {
		if first := strings.Fields(m.Header.Get(name)); len(first) > 0 {
			thread = strings.Trim(first[0], "<>")
		}
	}
	if thread != "" {
		t.session = "mail:" + thread
	}
	if subject := head("Subject"); strings.TrimSpace(t.text) == "" {
		t.text = subject
	} else if subject != "" {
		t.text = "Subject: " + subject + "\n\n" + t.text
	}
	return h.say(t)
}

// deepestMail is how deep the parts of a mail may lie in each other.
const deepestMail = 8

// mailText returns the words of a part of a mail.
func mailText(h *heap, kind, encoding string, body io.Reader, depth int) (string, error) {
	media, params, err := mime.ParseMediaType(cmp.Or(kind, "text/plain"))
	if err != nil {
		media = "text/plain"
	}
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	if strings.HasPrefix(media, "multipart/") && params["boundary"] != "" && depth < deepestMail {
		return mailParts(h, media, multipart.NewReader(body, params["boundary"]), depth)
	}
	if !strings.HasPrefix(media, "text/") {
		h.lost.leaveOut("attachments")
		return "", nil
	}
	data, err := io.ReadAll(body)
	if err != nil && len(data) == 0 {
		return "", err
	}
	text := inCharset(data, params["charset"])
	if media == "text/html" {
		return plainOf(text), nil
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}

func mailParts(h *heap, media string, parts *multipart.Reader, depth int) (string, error) {
	var all []string
	plainSeen := false
	for {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if len(all) > 0 {
				break // the end is missing
			}
			return "", err
		}
		if strings.HasPrefix(p.Header.Get("Content-Disposition"), "attachment") {
			h.lost.leaveOut("attachments")
			continue
		}
		if media == "multipart/alternative" && plainSeen {
			continue // the same in another form
		}
		text, err := mailText(h, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p, depth+1)
		if err != nil {
			return "", err
		}
		if text = strings.TrimSpace(text); text != "" {
			all, plainSeen = append(all, text), true
		}
	}
	return strings.Join(all, "\n\n"), nil
}

var headerWords = &mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
	data, err := io.ReadAll(in)
	return strings.NewReader(inCharset(data, charset)), err
}}

func decodedHeader(s string) string {
	if out, err := headerWords.DecodeHeader(s); err == nil {
		return out
	}
	return s
}

// inCharset returns a text of a character set as UTF-8.
func inCharset(data []byte, charset string) string {
	var set *charmap.Charmap
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "windows-1252", "cp1252":
		set = charmap.Windows1252
	case "iso-8859-2":
		set = charmap.ISO8859_2
	case "iso-8859-15":
		set = charmap.ISO8859_15
	case "windows-1250":
		set = charmap.Windows1250
	case "windows-1251":
		set = charmap.Windows1251
	case "koi8-r":
		set = charmap.KOI8R
	}
	if set != nil {
		if out, err := set.NewDecoder().Bytes(data); err == nil {
			return string(out)
		}
	}
	out, _ := io.ReadAll(decoded(bytes.NewReader(data), longBuffer, nil))
	return string(out)
}
