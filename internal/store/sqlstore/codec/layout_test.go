package codec

import "testing"

func TestLayoutsMapEachByteOnceAndBack(t *testing.T) {
	for name, l := range map[string]layout{"main": mainLayout{}, "log": logLayout{}} {
		var last place
		for off := int64(0); off < 40*pageSize; off++ {
			p := l.find(off)
			if off < p.from || off >= p.from+int64(p.size) {
				t.Fatalf("%s: byte %d is said to lie in %+v", name, off, p)
			}
			if p != last && off > 0 && (p.from != last.from+int64(last.size) ||
				p.at < last.at+int64(last.size)+overhead || p.no <= last.no) {
				t.Fatalf("%s: %+v comes after %+v", name, p, last)
			}
			if full := l.fullSize(off + 1); full < p.at+int64(p.size)+overhead || l.plainSize(full) != p.from+int64(p.size) {
				t.Fatalf("%s: of %d plain bytes the file has %d, which are %d again", name, off+1, full, l.plainSize(full))
			}
			last = p
		}
	}
}

func TestNoPageLiesOnSQLitesLock(t *testing.T) {
	const locked = 512 // bytes from lockByte on
	l := mainLayout{}
	for n := int64(holeAt - 3); n < holeAt+3; n++ {
		p := l.find(n * pageSize)
		if p.at < lockByte+locked && p.at+pageRecord > lockByte {
			t.Errorf("page %d lies at %d", n, p.at)
		}
		if size := l.plainSize(l.fullSize((n + 1) * pageSize)); size != (n+1)*pageSize {
			t.Errorf("%d pages are said to be %d bytes", n+1, size)
		}
	}
	if got := l.plainSize(l.fullSize(1 << 40)); got != 1<<40 {
		t.Errorf("a terabyte is %d", got)
	}
}
