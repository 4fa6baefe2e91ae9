package codec

import (
	"errors"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// The functions of SQLite that are called here.
type (
	closer  = func(*libc.TLS, uintptr) int32
	mover   = func(*libc.TLS, uintptr, uintptr, int32, int64) int32 // reads or writes
	sizer   = func(*libc.TLS, uintptr, int64) int32
	pointer = func(*libc.TLS, uintptr, uintptr) int32
	flagger = func(*libc.TLS, uintptr, int32) int32
	asker   = func(*libc.TLS, uintptr, int32, uintptr) int32
	mapper  = func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32
	locker  = func(*libc.TLS, uintptr, int32, int32, int32) int32
	barrier = func(*libc.TLS, uintptr)
	fetcher = func(*libc.TLS, uintptr, int64, int32, uintptr) int32
	giver   = func(*libc.TLS, uintptr, int64, uintptr) int32
)

// newMethods returns the methods of files over those of the system, in SQLite's memory.
func newMethods(tls *libc.TLS, base *lib.Tsqlite3_io_methods) uintptr {
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*base)))
	if p == 0 {
		return 0
	}
	*at[lib.Tsqlite3_io_methods](p) = lib.Tsqlite3_io_methods{
		FiVersion: min(base.FiVersion, 3),
		FxClose:   address[closer](xClose), FxRead: address[mover](xRead), FxWrite: address[mover](xWrite),
		FxTruncate: address[sizer](xTruncate), FxSync: address[flagger](xSync),
		FxFileSize: address[pointer](xFileSize), FxLock: address[flagger](xLock), FxUnlock: address[flagger](xUnlock),
		FxCheckReservedLock: address[pointer](xCheckReservedLock), FxFileControl: address[asker](xFileControl),
		FxSectorSize: address[closer](xSectorSize), FxDeviceCharacteristics: address[closer](xDeviceCharacteristics),
		FxShmMap: address[mapper](xShmMap), FxShmLock: address[locker](xShmLock),
		FxShmBarrier: address[barrier](xShmBarrier), FxShmUnmap: address[flagger](xShmUnmap),
		FxFetch: address[fetcher](xFetch), FxUnfetch: address[giver](xUnfetch),
	}
	return p
}

// A rcError is a code of SQLite.
type rcError int32

func (rcError) Error() string { return "SQLite's error" }

// A disk is a file as the system's VFS reads and writes it, through the file's own buffer.
type disk struct {
	*file
	tls *libc.TLS
}

func (d disk) read(p []byte, off int64) (short bool, err error) {
	rc := call[mover](d.how.FxRead)(d.tls, d.base, d.place(p), int32(len(p)), off)
	if rc != lib.SQLITE_OK && rc != lib.SQLITE_IOERR_SHORT_READ {
		return false, rcError(rc)
	}
	return rc != lib.SQLITE_OK, nil
}

func (d disk) write(p []byte, off int64) error {
	if rc := call[mover](d.how.FxWrite)(d.tls, d.base, d.place(p), int32(len(p)), off); rc != lib.SQLITE_OK {
		return rcError(rc)
	}
	return nil
}

// place is the address of bytes that lie in the file's buffer.
func (d disk) place(p []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(p))) }

// code is the code of SQLite for an error.
func code(err error, short bool, other int32) int32 {
	var rc rcError
	switch {
	case err == nil && short:
		return lib.SQLITE_IOERR_SHORT_READ
	case err == nil:
		return lib.SQLITE_OK
	case errors.As(err, &rc):
		return int32(rc)
	case errors.Is(err, errData):
		return lib.SQLITE_IOERR_DATA
	}
	return other
}

func xClose(tls *libc.TLS, pFile uintptr) int32 {
	f := of(pFile)
	mu.Lock()
	delete(files, pFile)
	mu.Unlock()
	clear(memory(f.buf, f.size))
	libc.Xfree(tls, f.buf)
	return call[closer](f.how.FxClose)(tls, f.base)
}

func xRead(tls *libc.TLS, pFile, zBuf uintptr, n int32, off int64) int32 {
	f := of(pFile)
	p := memory(zBuf, int(n))
	short, err := f.readAt(disk{f, tls}, p, off)
	return code(err, short, lib.SQLITE_IOERR_READ)
}

func xWrite(tls *libc.TLS, pFile, zBuf uintptr, n int32, off int64) int32 {
	f := of(pFile)
	return code(f.writeAt(disk{f, tls}, memory(zBuf, int(n)), off), false, lib.SQLITE_IOERR_WRITE)
}

func xTruncate(tls *libc.TLS, pFile uintptr, size int64) int32 {
	f := of(pFile)
	return call[sizer](f.how.FxTruncate)(tls, f.base, f.fullSize(size))
}

func xFileSize(tls *libc.TLS, pFile, pSize uintptr) int32 {
	f := of(pFile)
	rc := call[pointer](f.how.FxFileSize)(tls, f.base, pSize)
	if rc == lib.SQLITE_OK {
		size := at[int64](pSize)
		*size = f.plainSize(*size)
	}
	return rc
}

func xSync(tls *libc.TLS, pFile uintptr, flags int32) int32 {
	f := of(pFile)
	return call[flagger](f.how.FxSync)(tls, f.base, flags)
}

func xLock(tls *libc.TLS, pFile uintptr, level int32) int32 {
	f := of(pFile)
	return call[flagger](f.how.FxLock)(tls, f.base, level)
}

func xUnlock(tls *libc.TLS, pFile uintptr, level int32) int32 {
	f := of(pFile)
	return call[flagger](f.how.FxUnlock)(tls, f.base, level)
}

func xCheckReservedLock(tls *libc.TLS, pFile, pOut uintptr) int32 {
	f := of(pFile)
	return call[pointer](f.how.FxCheckReservedLock)(tls, f.base, pOut)
}

func xFileControl(tls *libc.TLS, pFile uintptr, op int32, pArg uintptr) int32 {
	switch op { // of sizes that are not those on the disk
	case lib.SQLITE_FCNTL_SIZE_HINT, lib.SQLITE_FCNTL_CHUNK_SIZE, lib.SQLITE_FCNTL_MMAP_SIZE:
		return lib.SQLITE_NOTFOUND
	}
	f := of(pFile)
	return call[asker](f.how.FxFileControl)(tls, f.base, op, pArg)
}

func xSectorSize(tls *libc.TLS, pFile uintptr) int32 {
	f := of(pFile)
	return call[closer](f.how.FxSectorSize)(tls, f.base)
}

// xDeviceCharacteristics leaves out that a page is written at once or not at all: ours are longer.
func xDeviceCharacteristics(tls *libc.TLS, pFile uintptr) int32 {
	f := of(pFile)
	const kept = lib.SQLITE_IOCAP_POWERSAFE_OVERWRITE | lib.SQLITE_IOCAP_UNDELETABLE_WHEN_OPEN |
		lib.SQLITE_IOCAP_SAFE_APPEND | lib.SQLITE_IOCAP_SEQUENTIAL | lib.SQLITE_IOCAP_IMMUTABLE
	return call[closer](f.how.FxDeviceCharacteristics)(tls, f.base) & kept
}

func xShmMap(tls *libc.TLS, pFile uintptr, page, size, extend int32, pp uintptr) int32 {
	f := of(pFile)
	return call[mapper](f.how.FxShmMap)(tls, f.base, page, size, extend, pp)
}

func xShmLock(tls *libc.TLS, pFile uintptr, offset, n, flags int32) int32 {
	f := of(pFile)
	return call[locker](f.how.FxShmLock)(tls, f.base, offset, n, flags)
}

func xShmBarrier(tls *libc.TLS, pFile uintptr) {
	f := of(pFile)
	call[barrier](f.how.FxShmBarrier)(tls, f.base)
}

func xShmUnmap(tls *libc.TLS, pFile uintptr, remove int32) int32 {
	f := of(pFile)
	return call[flagger](f.how.FxShmUnmap)(tls, f.base, remove)
}

// xFetch maps nothing: what is on the disk is not what SQLite reads.
func xFetch(_ *libc.TLS, _ uintptr, _ int64, _ int32, pp uintptr) int32 {
	*at[uintptr](pp) = 0
	return lib.SQLITE_OK
}

func xUnfetch(*libc.TLS, uintptr, int64, uintptr) int32 { return lib.SQLITE_OK }
