// Package codec encrypts SQLite's files below SQLite: as a VFS over that of the system, which
// SQLite uses for a database whose name says so. Pages of the main file and of the log are
// XChaCha20-Poly1305 with a random nonce, bound to their place. Journals and temporary files are
// AES-256-XTS, which changes no length and is not authenticated; SQLite has checksums there. The
// shared memory beside a log holds no words and stays as it is.
package codec

import (
	"crypto/aes"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/xts"
	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"github.com/stemma-memory/stemma/internal/atrest"
)

// A vfs is one that is registered: for one key, over one of the system's.
type vfs struct {
	base   uintptr // *sqlite3_vfs
	key    *atrest.Key
	pages  []byte
	reused []byte // for journals, which others may roll back
}

// at returns what is at an address of SQLite's memory, which Go does not manage.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// call returns a function of SQLite by its address, and address that of a Go function. A function
// that is no closure is one word, and never moves.
func call[T any](p uintptr) T    { return *(*T)(unsafe.Pointer(&p)) }
func address[T any](f T) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// memory returns bytes of SQLite's.
func memory(p uintptr, n int) []byte { return unsafe.Slice(at[byte](p), n) }

// What is registered stays so until the process ends: a connection may use it at any time.
var (
	mu      sync.Mutex
	names   = make(map[string]string)   // of the key and the system's: of ours
	byVFS   = make(map[uintptr]*vfs)    // by the address of the sqlite3_vfs
	methods = make(map[uintptr]uintptr) // ours by the system's
	files   = make(map[uintptr]*file)   // by the address of the sqlite3_file
)

// Name returns the name of the VFS that encrypts with a key over one of the system's; "" is its
// ordinary one.
func Name(k *atrest.Key, base string) (string, error) {
	mu.Lock()
	defer mu.Unlock()
	id := k.Name() + " " + base
	if name, ok := names[id]; ok {
		return name, nil
	}
	pages, err := k.Sub("pages", chacha20poly1305.KeySize)
	if err != nil {
		return "", err
	}
	journals, err := k.Sub("journals", xtsKey)
	if err != nil {
		return "", err
	}
	tls := libc.NewTLS()
	defer tls.Close()
	var over uintptr
	if base != "" {
		if over, err = libc.CString(base); err != nil {
			return "", err
		}
		defer libc.Xfree(tls, over)
	}
	found := lib.Xsqlite3_vfs_find(tls, over)
	if found == 0 {
		return "", fmt.Errorf("SQLite has no VFS %q", base)
	}
	name := fmt.Sprintf("stemma-%d", len(names)+1)
	called, err := libc.CString(name)
	if err != nil {
		return "", err
	}
	ours := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	if ours == 0 {
		return "", errors.New("out of memory")
	}
	v := at[lib.Tsqlite3_vfs](ours)
	*v = *at[lib.Tsqlite3_vfs](found)
	v.FpNext, v.FzName, v.FszOsFile, v.FxOpen = 0, called, headOfFile+v.FszOsFile, address(xOpen)
	byVFS[ours] = &vfs{found, k, pages, journals}
	if rc := lib.Xsqlite3_vfs_register(tls, ours, 0); rc != lib.SQLITE_OK {
		return "", fmt.Errorf("register a VFS: SQLite's error %d", rc)
	}
	names[id] = name
	return name, nil
}

const xtsKey = 64

// headOfFile is what we have before the system's sqlite3_file: the address of the methods, at an
// alignment that is enough for all.
const headOfFile = 16

// contents read and write plain bytes.
type contents interface {
	readAt(f bytesOf, p []byte, off int64) (short bool, err error)
	writeAt(f bytesOf, p []byte, off int64) error
	plainSize(full int64) int64
	fullSize(plain int64) int64
}

// A file is one that is open.
type file struct {
	contents
	base uintptr // the system's sqlite3_file
	how  *lib.Tsqlite3_io_methods
	buf  uintptr // SQLite's memory, which the system's VFS reads and writes
	size int
}

func newContents(v *vfs, flags int32, buf []byte) (contents, error) {
	switch {
	case flags&lib.SQLITE_OPEN_MAIN_DB != 0, flags&lib.SQLITE_OPEN_WAL != 0:
		a, err := chacha20poly1305.NewX(v.pages)
		if err != nil {
			return nil, err
		}
		if flags&lib.SQLITE_OPEN_WAL != 0 {
			return &records{layout: logLayout{}, aead: a, kind: 'w', buf: buf, log: true}, nil
		}
		return &records{layout: mainLayout{}, aead: a, kind: 'm', buf: buf}, nil
	case flags&lib.SQLITE_OPEN_MAIN_JOURNAL != 0:
		c, err := xts.NewCipher(aes.NewCipher, v.reused)
		return &sectors{c, buf}, err
	}
	once := make([]byte, xtsKey) // no one else reads a temporary file, nor this process later
	if _, err := rand.Read(once); err != nil {
		return nil, err
	}
	c, err := xts.NewCipher(aes.NewCipher, once)
	return &sectors{c, buf}, err
}

func xOpen(tls *libc.TLS, pVfs, zName, pFile uintptr, flags int32, pOut uintptr) int32 {
	mu.Lock()
	v := byVFS[pVfs]
	mu.Unlock()
	*at[uintptr](pFile) = 0
	base := pFile + headOfFile
	open := call[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](at[lib.Tsqlite3_vfs](v.base).FxOpen)
	rc := open(tls, v.base, zName, base, flags, pOut)
	how := *at[uintptr](base)
	if rc != lib.SQLITE_OK {
		if how != 0 {
			call[closer](at[lib.Tsqlite3_io_methods](how).FxClose)(tls, base)
		}
		return rc
	}
	f := &file{base: base, how: at[lib.Tsqlite3_io_methods](how), size: pageRecord}
	f.buf = libc.Xmalloc(tls, libc.Tsize_t(f.size))
	err := errors.New("out of memory")
	if f.buf != 0 {
		f.contents, err = newContents(v, flags, memory(f.buf, f.size))
	}
	if err != nil {
		libc.Xfree(tls, f.buf)
		call[closer](f.how.FxClose)(tls, base)
		return lib.SQLITE_CANTOPEN
	}
	mu.Lock()
	defer mu.Unlock()
	files[pFile] = f
	if methods[how] == 0 {
		if methods[how] = newMethods(tls, f.how); methods[how] == 0 {
			return lib.SQLITE_NOMEM
		}
	}
	*at[uintptr](pFile) = methods[how]
	return lib.SQLITE_OK
}

// of returns an open file by its address.
func of(pFile uintptr) *file {
	mu.Lock()
	defer mu.Unlock()
	return files[pFile]
}
