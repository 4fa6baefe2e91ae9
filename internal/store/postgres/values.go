package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The numbers of types, as PostgreSQL has them in every database.
const (
	boolean = 16
	bytea   = 17
	bigint  = 20
	small   = 21
	integer = 23
	text    = 25
	real    = 700
	double  = 701
)

const (
	asText   int16 = 0
	asBinary int16 = 1
)

// CheckNamedValue takes lists, and leaves other arguments to database/sql.
func (c *Conn) CheckNamedValue(v *driver.NamedValue) error {
	switch v.Value.(type) {
	case Planned, []int64, []*int64, []string, []*string, [][]byte, []*[]byte, []float32:
		return nil
	}
	return driver.ErrSkip
}

// encode writes arguments as they are sent. The server takes the text of a value for any
// type; bytes and lists go as they are.
func encode(args []driver.NamedValue) (values [][]byte, formats []int16, err error) {
	values, formats = make([][]byte, len(args)), make([]int16, len(args))
	for i, arg := range args {
		formats[i] = asText
		switch v := arg.Value.(type) {
		case nil:
		case bool:
			values[i] = strconv.AppendBool(nil, v)
		case int64:
			values[i] = strconv.AppendInt(nil, v, 10)
		case float64:
			values[i] = strconv.AppendFloat(nil, v, 'g', -1, 64)
		case string:
			values[i] = []byte(v)
		case []byte:
			values[i], formats[i] = v, asBinary
		default:
			if values[i] = list(v); values[i] == nil {
				return nil, nil, fmt.Errorf("argument %d is a %T", arg.Ordinal, v)
			}
			formats[i] = asBinary
		}
	}
	return values, formats, nil
}

// list returns an array as it is sent.
func list(v any) []byte {
	switch v := v.(type) {
	case []int64:
		return array(bigint, v, func(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) })
	case []*int64:
		return array(bigint, v, func(n *int64) []byte {
			if n == nil {
				return nil
			}
			return binary.BigEndian.AppendUint64(nil, uint64(*n))
		})
	case []string:
		return array(text, v, func(s string) []byte { return append([]byte{}, s...) })
	case []*string:
		return array(text, v, func(s *string) []byte {
			if s == nil {
				return nil
			}
			return append([]byte{}, *s...)
		})
	case [][]byte:
		return array(bytea, v, func(b []byte) []byte { return b })
	case []*[]byte:
		return array(bytea, v, func(b *[]byte) []byte {
			if b == nil {
				return nil
			}
			return *b
		})
	case []float32:
		return array(real, v, func(f float32) []byte { return binary.BigEndian.AppendUint32(nil, math.Float32bits(f)) })
	}
	return nil
}

// array is one dimension from 1, with null where of returns nil.
func array[T any](kind uint32, list []T, of func(T) []byte) []byte {
	const null = math.MaxUint32
	be := binary.BigEndian
	out := be.AppendUint32(be.AppendUint32(be.AppendUint32(nil, 1), 0), kind)
	if len(list) == 0 {
		clear(out[:4]) // of no dimension
		return out
	}
	out = be.AppendUint32(be.AppendUint32(out, uint32(len(list))), 1)
	for _, one := range list {
		b := of(one)
		if b == nil {
			out[7] = 1 // there are nulls
			out = be.AppendUint32(out, null)
			continue
		}
		out = append(be.AppendUint32(out, uint32(len(b))), b...)
	}
	return out
}

// formatOf is how a column of a type is asked for.
func formatOf(kind uint32) int16 {
	switch kind {
	case boolean, bytea, bigint, small, integer, real, double:
		return asBinary
	}
	return asText
}

// rows are the rows of a statement, as they come.
type rows struct {
	c           *Conn
	query       string
	read        *pgconn.ResultReader
	ahead, more bool // the next row was asked for, and is there
}

func (r *rows) Columns() []string {
	fields := r.read.FieldDescriptions()
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Next reads a row. Values that are bytes are valid until the next call.
func (r *rows) Next(into []driver.Value) error {
	if !r.ahead {
		r.more = r.read.NextRow()
	}
	r.ahead = false
	if !r.more {
		if err := r.Close(); err != nil {
			return err
		}
		return io.EOF
	}
	fields := r.read.FieldDescriptions()
	for i, b := range r.read.Values() {
		var err error
		if into[i], err = decode(fields[i].DataTypeOID, fields[i].Format, b); err != nil {
			return fmt.Errorf("column %q: %w", fields[i].Name, err)
		}
	}
	return nil
}

func (r *rows) Close() error {
	_, err := r.read.Close()
	return r.c.failed(r.query, err)
}

// decode reads a value. Types that are not ours are given as their text.
func decode(kind uint32, format int16, b []byte) (driver.Value, error) {
	switch {
	case b == nil:
		return nil, nil
	case format == asText:
		return decodeText(kind, string(b))
	case kind == bytea:
		return b, nil
	case kind == boolean && len(b) == 1:
		return b[0] != 0, nil
	case kind == small && len(b) == 2:
		return int64(int16(binary.BigEndian.Uint16(b))), nil
	case kind == integer && len(b) == 4:
		return int64(int32(binary.BigEndian.Uint32(b))), nil
	case kind == bigint && len(b) == 8:
		return int64(binary.BigEndian.Uint64(b)), nil
	case kind == real && len(b) == 4:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b))), nil
	case kind == double && len(b) == 8:
		return math.Float64frombits(binary.BigEndian.Uint64(b)), nil
	}
	return nil, fmt.Errorf("%d bytes of type %d", len(b), kind)
}

func decodeText(kind uint32, s string) (driver.Value, error) {
	switch kind {
	case bytea:
		digits, is := strings.CutPrefix(s, `\x`)
		if !is {
			return nil, fmt.Errorf("bytes that are not hexadecimal")
		}
		return hex.DecodeString(digits)
	case boolean:
		return s == "t", nil
	case small, integer, bigint:
		return strconv.ParseInt(s, 10, 64)
	case real, double:
		return strconv.ParseFloat(s, 64)
	}
	return s, nil
}
