// Package salvage reads what is whole of a damaged SQLite file, without SQLite.
package salvage

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/codec"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/session"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/sums"
	"github.com/stemma-memory/stemma/memory"
)

// File reads the undamaged part of a file. It changes nothing, and opens the file only
// to copy it.
func File(ctx context.Context, path string) (*store.Salvage, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("recover %s: it is not a file", path)
	case live.Has(info):
		return nil, fmt.Errorf("recover %s: %w; close it first", path, live.ErrOpen)
	}
	key, err := atrest.KeyOf(path)
	if err != nil {
		return nil, fmt.Errorf("recover %s: %w", path, err)
	}
	v := &salvaging{
		ctx: ctx, found: make(map[int64]*memory.Record), sigs: make(map[int64][]byte),
		damaged: make(map[int64]string), listed: make(map[int64]memory.ID), came: make(map[int64]int64),
		authors: make(map[int64]string), others: make(map[int64]map[int64]signer),
	}
	if v.file, err = readWhole(path, key); err != nil {
		return nil, err
	}
	log, err := readWhole(path+"-wal", key)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	v.file = bringHome(v.file, log)
	if err := v.scan(); err != nil {
		return nil, err
	}
	return v.result(), nil
}

// readWhole reads a file that somebody may open with SQLite meanwhile.
func readWhole(path string, key *atrest.Key) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var in io.ReaderAt = f
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, live.Close(f))
	}
	size := info.Size()
	if key != nil {
		r, err := codec.NewReader(f, key)
		if err != nil {
			return nil, errors.Join(err, live.Close(f))
		}
		in, size = r, r.Size()
	}
	b := make([]byte, size)
	n, err := in.ReadAt(b, 0)
	if n == len(b) {
		err = nil
	}
	return b[:n], errors.Join(err, live.Close(f))
}

// bringHome puts the pages of a log over those of the file, up to the last commit.
func bringHome(file, log []byte) []byte {
	const head, frame = 32, 24 + session.PageSize
	if len(log) < head {
		return file
	}
	salt := log[16:24]
	end := head
	for at := head; at+frame <= len(log) && string(log[at+8:at+16]) == string(salt); at += frame {
		if binary.BigEndian.Uint32(log[at+4:]) > 0 { // as many pages the file has after this commit
			end = at + frame
		}
	}
	for at := head; at < end; at += frame {
		no := int(binary.BigEndian.Uint32(log[at:]))
		if no < 1 || no > len(file)/session.PageSize+len(log)/frame {
			continue
		}
		if grow := no*session.PageSize - len(file); grow > 0 {
			file = append(file, make([]byte, grow)...)
		}
		copy(file[(no-1)*session.PageSize:], log[at+24:at+frame])
	}
	return file
}

// salvaging is one run of File.
type salvaging struct {
	ctx  context.Context
	file []byte

	found   map[int64]*memory.Record   // by key: whole
	sigs    map[int64][]byte           // of the author
	damaged map[int64]string           // by key: invalid payloads
	listed  map[int64]memory.ID        // rows of the log
	came    map[int64]int64            // of those
	authors map[int64]string           // the list of authors
	others  map[int64]map[int64]signer // additional signatures, by their order
}

type signer struct {
	author int64
	sig    []byte
}

// scan searches every place of every page for rows. It follows no pointers to rows, which may
// be damaged, since a row can be recognized by itself.
func (v *salvaging) scan() error {
	for page := 0; page*session.PageSize < len(v.file); page++ {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		b := v.file[page*session.PageSize : min((page+1)*session.PageSize, len(v.file))]
		for at := range b {
			v.row(b, at)
			v.entry(b, at)
		}
	}
	return nil
}

// row looks for a row of a table by numbers: a payload, a row of the log, an author.
func (v *salvaging) row(b []byte, at int) {
	size, n := uvarint(b[at:])
	key, m := uvarint(b[at+n:])
	if n == 0 || m == 0 || size < 4 || size > maxRow || key > 1<<62 {
		return
	}
	types, head := header(b[at+n+m:], size)
	if len(types) < 2 || types[0] != 0 {
		return
	}
	isBlob := func(t uint64) bool { return t >= 12 && t%2 == 0 }
	switch k := int64(key); {
	case len(types) == 3 && isBlob(types[1]) && (types[2] == 0 || isBlob(types[2])):
		if body := v.body(b, at+n+m, size); body != nil {
			text, sig := body[head:head+int(width(types[1]))], body[head+int(width(types[1])):]
			v.payload(k, text, sig)
		}
	case len(types) >= 7 && len(types) <= 9 && types[1] == 12+2*uint64(len(memory.ID{})):
		if body := v.body(b, at+n+m, size); body != nil {
			v.listed[k] = memory.ID(body[head : head+len(memory.ID{})])
			v.arrival(k, body, types)
		}
	case len(types) == 2 && types[1] >= 13 && types[1]%2 == 1:
		if body := v.body(b, at+n+m, size); body != nil && strings.HasPrefix(string(body[head:]), "did:") {
			v.authors[k] = string(body[head:])
		}
	}
}

// arrival takes when the record of a row of the log came, unless its sum is another's.
func (v *salvaging) arrival(key int64, body []byte, types []uint64) {
	if len(types) < 8 {
		return
	}
	end := len(body)
	var sum sql.NullInt64
	if len(types) == 9 && types[8] != 0 {
		end -= int(width(types[8]))
		sum = sql.NullInt64{Int64: number(body[end:], types[8]), Valid: true}
	}
	came := number(body[end-int(width(types[7])):end], types[7])
	if sums.CameIs(key, sql.NullInt64{Int64: came, Valid: types[7] != 0}, sum) {
		v.came[key] = came
	}
}

// entry looks for an additional signature: its table is an index.
func (v *salvaging) entry(b []byte, at int) {
	size, n := uvarint(b[at:])
	if n == 0 || size < 4 || size > 200 {
		return
	}
	types, head := header(b[at+n:], size)
	if len(types) != 4 || types[3] < 12 || types[3]%2 == 1 || width(types[3]) != 64 {
		return
	}
	for _, t := range types[:3] {
		if t == 0 || t == 7 || t > 9 {
			return
		}
	}
	body := v.body(b, at+n, size)
	if body == nil {
		return
	}
	var numbers [3]int64
	for i, t := range types[:3] {
		numbers[i] = number(body[head:], t)
		head += int(width(t))
	}
	key := numbers[0]
	if v.others[key] == nil {
		v.others[key] = make(map[int64]signer)
	}
	v.others[key][numbers[1]] = signer{numbers[2], slices.Clone(body[head:])}
}

// payload takes what may be signed bytes.
func (v *salvaging) payload(key int64, text, sig []byte) {
	if v.found[key] != nil || len(text) == 0 || text[0] != '{' {
		return
	}
	r, err := memory.Load(slices.Clone(text))
	if err != nil {
		v.damaged[key] = "its bytes are damaged: " + err.Error()
		return
	}
	if !envelope.SignedBy(r, sig) {
		v.damaged[key] = "the signature does not hold: its bytes or the signature are damaged"
		return
	}
	v.found[key], v.sigs[key] = r, slices.Clone(sig)
}

// result puts together what was found.
func (v *salvaging) result() *store.Salvage {
	out := new(store.Salvage)
	spaces := make(map[int64]string)
	keys := make([]int64, 0, len(v.found))
	held, purged := make(map[memory.ID]bool), make(map[memory.ID]bool)
	for key, r := range v.found {
		spaces[key>>session.SeqBits] = r.Header.Space
		keys = append(keys, key)
		held[r.ID] = true
		r.Sigs = v.signatures(key, r)
		if m, is := r.Body.(*memory.Mark); is && m.Verb == memory.Purge {
			for _, ref := range memory.Subjects(m) {
				purged[ref.ID] = true
			}
		}
	}
	slices.Sort(keys)
	v.arriveBeside(keys)
	sorting.By(keys, func(a, b int64) int {
		return cmp.Or(cmp.Compare(v.came[a], v.came[b]), cmp.Compare(a, b))
	})
	for _, key := range keys {
		if r := v.found[key]; held[r.ID] {
			out.Records, held[r.ID] = append(out.Records, r), false
		}
	}
	lost := make(map[int64]string)
	for key, id := range v.listed {
		if _, whole := held[id]; !whole && v.found[key] == nil && !purged[id] {
			lost[key] = "its bytes are gone"
		}
	}
	for key, why := range v.damaged {
		if v.found[key] == nil && !purged[v.listed[key]] {
			lost[key] = why
		}
	}
	for key, why := range lost {
		out.Lost = append(out.Lost, store.Lost{
			Space: spaces[key>>session.SeqBits], Seq: int64(session.SeqOf(key)), ID: v.listed[key], Why: why,
		})
	}
	sorting.By(out.Lost, func(a, b store.Lost) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), cmp.Compare(a.Seq, b.Seq))
	})
	return out
}

// arriveBeside gives records whose row of the log is damaged the arrival of the one before them in their space, or
// behind them: so they keep their place, since no record of a space came before an earlier one. keys are in order.
func (v *salvaging) arriveBeside(keys []int64) {
	from := func(key, beside int64) {
		_, has := v.came[key]
		if at, known := v.came[beside]; known && !has && key>>session.SeqBits == beside>>session.SeqBits {
			v.came[key] = at
		}
	}
	for i := 1; i < len(keys); i++ {
		from(keys[i], keys[i-1])
	}
	for i := len(keys) - 2; i >= 0; i-- {
		from(keys[i], keys[i+1])
	}
}

// signatures returns those of a record that hold, the author's first.
func (v *salvaging) signatures(key int64, r *memory.Record) []memory.Signature {
	out := []memory.Signature{{Key: r.Header.Author, Sig: v.sigs[key]}}
	for ord := range int64(len(v.others[key])) {
		one := v.others[key][ord]
		with := *r
		with.Sigs = append(slices.Clone(out), memory.Signature{Key: v.authors[one.author], Sig: one.sig})
		if one.sig != nil && envelope.Verify(&with) == nil {
			out = with.Sigs
		}
	}
	return out
}

// body returns a row of a length that begins at a place of a page, with what of it lies in
// other pages; nil where it is not all there.
func (v *salvaging) body(page []byte, at int, size uint64) []byte {
	const most = session.PageSize - 35 // a longer row goes on elsewhere
	if size <= most {
		if at+int(size) > len(page) {
			return nil
		}
		return page[at : at+int(size)]
	}
	const least = (session.PageSize-12)*32/255 - 23
	here := least + (int(size)-least)%(session.PageSize-4)
	if here > most {
		here = least
	}
	if at+here+4 > len(page) {
		return nil
	}
	out := append(make([]byte, 0, size), page[at:at+here]...)
	next := binary.BigEndian.Uint32(page[at+here:])
	for len(out) < int(size) {
		from := (int(next) - 1) * session.PageSize
		if next == 0 || from+session.PageSize > len(v.file) {
			return nil
		}
		next = binary.BigEndian.Uint32(v.file[from:])
		part := v.file[from+4 : from+session.PageSize]
		out = append(out, part[:min(len(part), int(size)-len(out))]...)
	}
	return out
}
