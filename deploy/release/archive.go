package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// sumsFile has the checksums of all other files, as sha256sum -c reads them.
const sumsFile = "SHA256SUMS"

// licencesFile has the licences of everything that the program contains and others wrote.
const licencesFile = "THIRD-PARTY-LICENSES.txt"

// entry is a file or, with a mode of a folder, a folder of an archive.
type entry struct {
	name string
	mode os.FileMode
	text []byte
}

// writeTar writes entries that belong to root and have one time.
func writeTar(w io.Writer, at time.Time, entries []entry) error {
	t := tar.NewWriter(w)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, ModTime: at, Mode: int64(e.mode.Perm()), Size: int64(len(e.text)),
			Format: tar.FormatPAX, Typeflag: tar.TypeReg}
		if e.mode.IsDir() {
			h.Typeflag, h.Name = tar.TypeDir, e.name+"/"
		}
		if e.mode&os.ModeSticky != 0 {
			h.Mode |= 0o1000
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(e.text); err != nil {
			return err
		}
	}
	return t.Close()
}

// archive writes the archive of one platform: a folder with the program and what one needs to run it.
func (s *source) archive(ctx context.Context, file string, binary, licences []byte) error {
	tracked, err := s.output(ctx, ".", nil, "git", "ls-files", "README.md", "CHANGELOG.md", "LICENSE",
		"schema.graphqls", "deploy", ":!deploy/release", ":!deploy/Dockerfile*")
	if err != nil {
		return err
	}
	top := "agora-" + s.version + "/"
	entries := []entry{{top + "agora", 0o755, binary}, {top + licencesFile, 0o644, licences}}
	for name := range strings.Lines(tracked) {
		name = strings.TrimSuffix(name, "\n")
		info, err := os.Stat(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		text, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "deploy/compose") {
			if text, err = s.compose(name, text); err != nil {
				return err
			}
		}
		mode := os.FileMode(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		entries = append(entries, entry{top + name, mode, text})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := errors.Join(writeTar(z, s.time, entries), z.Close()); err != nil {
		return err
	}
	return os.WriteFile(file, packed.Bytes(), 0o644)
}

// built is how a compose file says to build the image.
var built = regexp.MustCompile(`(?m)^    image: agora\n    build:\n(?:      .*\n)+`)

// compose returns a compose file that runs the image of the release, which is loaded first, in place of one that builds
// it.
func (s *source) compose(name string, text []byte) ([]byte, error) {
	up := fmt.Appendf(nil, "#   docker compose -f %s up -d", name)
	load := fmt.Appendf(nil, "#   docker load -i agora_%s_image.tar # of the same release\n%s", s.version, up)
	if len(built.FindAll(text, -1)) != 1 || !bytes.Contains(text, append(up, " --build"...)) {
		return nil, fmt.Errorf("%s builds no image, or says otherwise how it is started", name)
	}
	text = built.ReplaceAll(text, fmt.Appendf(nil, "    image: %s\n    pull_policy: never\n", s.imageName()))
	return bytes.Replace(text, append(up, " --build"...), load, 1), nil
}

// checksums writes the SHA-256 of files in a folder.
func checksums(dir string, files []string) error {
	slices.Sort(files)
	var sums strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(text), name)
		say("  %s, %.1f MB", name, float64(len(text))/1e6)
	}
	return os.WriteFile(filepath.Join(dir, sumsFile), []byte(sums.String()), 0o644)
}
