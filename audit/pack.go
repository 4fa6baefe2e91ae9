package audit

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/quoting"
)

// Bounds on a pack and its proofs, in bytes.
const (
	mostPack   = 32 << 20
	mostProofs = 64 << 20
)

// howToMake says where a pack with proofs comes from.
const howToMake = "a recall with proofs makes one"

// givenPack is a pack as recall prints it, in JSON, or as a model got it.
type givenPack struct {
	Results     []givenEntry `json:"results"`
	Constraints []givenEntry `json:"constraints"`
	Proofs      string       `json:"proofs"`
}

type givenEntry struct {
	Ref     string       `json:"ref"`
	ID      string       `json:"id"`
	Text    string       `json:"text"`
	Speaker string       `json:"speaker"`
	By      string       `json:"by"`
	Review  string       `json:"review"`
	Mark    string       `json:"mark"` // as a model got it
	Before  []givenEntry `json:"before"`
	After   []givenEntry `json:"after"`
	Proof   *struct {
		Span    string `json:"span"`
		Decided string `json:"decided"`
		Missing string `json:"missing"`
	} `json:"proof"`
}

// Pack audits an answer of recall that carries its proofs: each entry against its signed record. Where an answer is
// given that somebody wrote, it says for each sentence which entries that quotes, word for word; what a sentence means
// it cannot judge. An error means that the file is no pack with proofs; the problems of its content are in the report.
func Pack(ctx context.Context, pack, answer io.Reader, o Options) (report.Pack, error) {
	p, err := newPack(ctx, pack, o)
	if err != nil {
		return report.Pack{}, err
	}
	if answer != nil {
		err = p.answer(answer)
	}
	p.report.Records.Elapsed = p.a.now().Sub(p.a.began)
	return p.report, err
}

// answer says what each sentence of an answer quotes.
func (p *packing) answer(r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, quoting.MostAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("the answer cannot be read: %w", err)
	case len(text) > quoting.MostAnswer:
		return fmt.Errorf("the answer has more than %d MiB", quoting.MostAnswer>>20)
	}
	said, err := quoting.Quotations(p.sources, strings.ToValidUTF8(string(text), "\uFFFD"))
	if err != nil {
		return err
	}
	p.report.Answered, p.report.Sentences = true, make([]report.Sentence, len(said))
	for i, s := range said {
		out := report.Sentence{
			Line: s.Line, Text: s.Text, Verdict: string(s.Verdict), Rests: s.Verdict.Rests(), Adds: s.Adds, Why: s.Why,
		}
		for _, q := range s.Quotes {
			out.Quotes = append(out.Quotes, report.Quote(q))
		}
		p.report.Sentences[i] = out
	}
	return nil
}

// packing is an audit of a pack.
type packing struct {
	a       *Auditor
	court   *court
	records map[string]*told // by ref
	lines   map[string]*report.Line
	placed  map[string]bool // the spaces of which each record here is shown to be in the log
	report  report.Pack
	sources []quoting.Source
	seen    map[string]bool
}

func newPack(ctx context.Context, r io.Reader, o Options) (*packing, error) {
	raw, err := io.ReadAll(io.LimitReader(r, mostPack+1))
	if err != nil {
		return nil, fmt.Errorf("the pack cannot be read: %w", err)
	}
	in, bundle, err := readPack(raw)
	if err != nil {
		return nil, err
	}
	o.Lines = -1
	a, err := New(o)
	if err != nil {
		return nil, err
	}
	if err := a.bundle(ctx, bytes.NewReader(bundle)); err != nil {
		return nil, err
	}
	p := &packing{a: a, records: make(map[string]*told), lines: make(map[string]*report.Line),
		placed: make(map[string]bool), seen: make(map[string]bool)}
	p.report.Records, p.report.Entries = a.Report(), []report.Entry{}
	p.court = a.newCourt()
	for i := range a.teller.told {
		p.records[a.teller.told[i].Ref().String()] = &a.teller.told[i]
	}
	for i := range p.report.Records.Lines {
		p.lines[p.report.Records.Lines[i].Ref] = &p.report.Records.Lines[i]
	}
	for _, l := range p.report.Records.Logs {
		p.placed[l.Space] = l.Status == report.LogOK && len(a.logs[l.Space].proofs) > 0
	}
	for _, all := range [][]givenEntry{in.Results, in.Constraints} {
		for i := range all {
			p.entry(&all[i])
			for _, turns := range [][]givenEntry{all[i].Before, all[i].After} {
				for j := range turns {
					p.entry(&turns[j])
				}
			}
		}
	}
	return p, nil
}

// readPack reads a pack and the bundle in it.
func readPack(raw []byte) (*givenPack, []byte, error) {
	if len(raw) > mostPack {
		return nil, nil, fmt.Errorf("not a pack: it has more than %d MiB", mostPack>>20)
	}
	in := new(givenPack)
	first, _, _ := bytes.Cut(raw, []byte("\n"))
	if _, err := parseLine(first); err == nil {
		return nil, nil, errors.New("it is a bundle, not a pack; " + howToMake)
	}
	if err := onceEach(raw); err != nil {
		return nil, nil, fmt.Errorf("not a pack: %w; %s", err, howToMake)
	}
	if err := json.Unmarshal(raw, in); err != nil || in.Results == nil && in.Constraints == nil && in.Proofs == "" {
		return nil, nil, errors.New("not a pack: it has no results; " + howToMake)
	}
	if in.Proofs == "" {
		return nil, nil, errors.New("the pack has no proofs; " + howToMake)
	}
	zipped, err := base64.StdEncoding.Strict().DecodeString(in.Proofs)
	if err != nil {
		return nil, nil, errors.New("the proofs of the pack are damaged: no base64")
	}
	unzip, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, nil, errors.New("the proofs of the pack are damaged: not gzipped")
	}
	bundle, err := io.ReadAll(io.LimitReader(unzip, mostProofs+1))
	switch {
	case err != nil:
		return nil, nil, errors.New("the proofs of the pack are damaged: they end early")
	case len(bundle) > mostProofs:
		return nil, nil, fmt.Errorf("the proofs of the pack have more than %d MiB", mostProofs>>20)
	}
	return in, bundle, nil
}

// onceEach refuses JSON that two readers may read otherwise: with a member named twice, in whatever case.
func onceEach(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := eachOnce(d, 0); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON")
	}
	return nil
}

func eachOnce(d *json.Decoder, depth int) error {
	const mostDepth = 32
	t, err := d.Token()
	if err != nil {
		return errors.New("no JSON")
	}
	delim, is := t.(json.Delim)
	if !is {
		return nil
	}
	if depth > mostDepth {
		return errors.New("too deep")
	}
	named := make(map[string]bool)
	for d.More() {
		if delim == '{' {
			t, err := d.Token()
			if err != nil {
				return errors.New("no JSON")
			}
			name := strings.ToLower(t.(string))
			if named[name] {
				return fmt.Errorf("a member is there twice: %.40q", name)
			}
			named[name] = true
		}
		if err := eachOnce(d, depth+1); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return errors.New("no JSON")
	}
	return nil
}
