package journal

import (
	"fmt"
	"io/fs"
	"os"
)

// openPlain opens a regular file and nothing else: no link, and no pipe that
// would hold us up.
func openPlain(path string, flag int) (*os.File, fs.FileInfo, error) {
	file, err := os.OpenFile(path, flag|plainFlags, fileMode)
	if err != nil {
		if isLink(err) {
			err = fmt.Errorf("%s is a link, and links are not followed", path)
		}
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}
