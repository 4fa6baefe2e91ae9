package importers

import (
	"archive/zip"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
)

// unzip adds the files of an archive. Nothing is unpacked to the disk.
func (t *tree) unzip(where string, depth int) error {
	z, err := zip.OpenReader(where)
	if err != nil {
		return api.Invalid("is an archive that cannot be read: %v", err)
	}
	t.dir = true
	t.close = append(t.close, func() { z.Close() })
	if len(z.File)+len(t.files) > mostFiles {
		return api.Invalid("has more than %d files", mostFiles)
	}
	for _, in := range z.File {
		name := path.Clean(strings.ReplaceAll(in.Name, `\`, "/"))
		dirs := strings.Split(name, "/")
		base := dirs[len(dirs)-1]
		if in.FileInfo().IsDir() || !in.Mode().IsRegular() {
			if slices.Contains(dirs, ".obsidian") {
				t.left[""]++
			}
			continue
		}
		if slices.ContainsFunc(dirs[:len(dirs)-1], passed) ||
			strings.HasPrefix(base, ".") && !slices.Contains(hiddenFiles, base) {
			if slices.Contains(dirs, ".obsidian") {
				if t.left[""]++; base == "templates.json" {
					t.readTemplates(in.Open)
				}
			}
			if slices.Contains(dirs, ".trash") {
				t.left["in the trash"]++
			}
			continue
		}
		if size := in.UncompressedSize64; size > mostOpen && size/max(in.CompressedSize64, 1) > mostFold {
			t.bad = append(t.bad, fmt.Sprintf(
				"%s: expands to %d times its size, as an archive that means harm does; unpack it first if you trust it",
				clean(name), size/max(in.CompressedSize64, 1),
			))
			continue
		}
		packed := &file{tree: t, name: name, size: int64(in.UncompressedSize64), raw: in.Open}
		if strings.EqualFold(path.Ext(name), ".zip") && depth < deepestZip {
			if err := t.unzipInner(packed, depth+1); err != nil {
				t.bad = append(t.bad, clean(name)+": "+flat(err))
			}
			continue
		}
		t.files = append(t.files, packed)
	}
	return nil
}

// deepestZip is how deep archives may lie in each other, as those of Notion do.
const deepestZip = 1

// unzipInner adds the files of an archive in an archive.
func (t *tree) unzipInner(f *file, depth int) error {
	if f.size > mostInner {
		return api.Invalid("is an archive in an archive and longer than %d GiB; unpack it first", mostInner>>30)
	}
	where, err := f.onPath()
	if err != nil {
		return err
	}
	return t.unzip(where, depth)
}

// mostInner bounds an archive in an archive, in bytes.
const mostInner = 4 << 30
