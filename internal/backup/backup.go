// Package backup keeps backups of a site in a directory. Each is a directory of its own, which gets its name when it
// is complete, and is not accessible to other users:
//
//	agora-20261126T184212.000Z  a backup, by its time
//	    dump.rdb                the data, a snapshot of Redis
//	    backup.json             a Manifest
//	.agora-new                  a backup that is being written, or was interrupted
//	.agora-old                  a backup that is being deleted
package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"agora/internal/privateredis"
)

const (
	dumpName     = "dump.rdb"
	manifestName = "backup.json"
	newName      = ".agora-new"
	oldName      = ".agora-old"
	// form is the form of a backup's name, in UTC: by name, backups are in the order of their times.
	form = "agora-20060102T150405.000Z"
	// format changes when the files of a backup or their meaning change.
	format = 1
)

// Manifest describes a backup.
type Manifest struct {
	Format int `json:"format"`
	// Time is when the backup began: what was acknowledged before is in it.
	Time time.Time `json:"time"`
	// Program and Redis are the versions of Agora and of the Redis that wrote the data, Layout that of the data.
	Program string `json:"program"`
	Redis   string `json:"redis"`
	Layout  int    `json:"layout"`
	// Keys is how many keys there were, about.
	Keys int64 `json:"keys"`
	// Bytes is the size of the snapshot, and SHA256 its hash, in hexadecimal.
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Backup is a complete backup.
type Backup struct {
	Path string
	Manifest
}

// Write writes a backup into dir, which is created if it is missing. snapshot writes the data. If Write fails or is
// killed, no backup is added; the next call removes what is left of it. Only one may run at a time.
func Write(dir string, m Manifest, snapshot func(io.Writer) error) (Backup, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Backup{}, err
	}
	lock, err := privateredis.LockDirectory(dir)
	if err != nil {
		return Backup{}, fmt.Errorf("another backup is being written: %w", err)
	}
	defer lock.Close()
	unfinished := filepath.Join(dir, newName)
	if err := errors.Join(os.RemoveAll(unfinished), os.RemoveAll(filepath.Join(dir, oldName))); err != nil {
		return Backup{}, err
	}
	b := Backup{filepath.Join(dir, m.Time.UTC().Format(form)), m}
	b.Format = format
	err = b.fill(unfinished, snapshot)
	if err == nil {
		err = os.Rename(unfinished, b.Path)
	}
	if err != nil {
		return Backup{}, errors.Join(err, os.RemoveAll(unfinished))
	}
	return b, lock.Sync()
}

// fill writes the files of a backup into a new directory.
func (b *Backup) fill(dir string, snapshot func(io.Writer) error) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	hash := sha256.New()
	err := create(filepath.Join(dir, dumpName), func(w io.Writer) error {
		count := &counter{w: io.MultiWriter(w, hash)}
		defer func() { b.Bytes = count.n }()
		return snapshot(count)
	})
	if err != nil {
		return err
	}
	b.SHA256 = hex.EncodeToString(hash.Sum(nil))
	text, err := json.MarshalIndent(b.Manifest, "", "  ")
	if err != nil {
		return err
	}
	err = create(filepath.Join(dir, manifestName), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	return syncDirectory(dir)
}

// counter counts the bytes that are written.
type counter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// create writes a new file for this user only, and returns when it is on disk.
func create(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Keep deletes all backups in dir but the newest n, and returns their paths. Other files stay.
func Keep(dir string, n int) ([]string, error) {
	lock, err := privateredis.LockDirectory(dir)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	all, err := list(dir)
	if err != nil {
		return nil, err
	}
	var deleted []string
	old := filepath.Join(dir, oldName)
	for _, b := range all[:max(0, len(all)-n)] {
		// Under its name it would look complete until the end.
		if err := errors.Join(os.RemoveAll(old), os.Rename(b.Path, old), os.RemoveAll(old)); err != nil {
			return deleted, err
		}
		deleted = append(deleted, b.Path)
	}
	return deleted, nil
}

// list returns the backups in a directory, the oldest first.
func list(dir string) ([]Backup, error) {
	entries, err := os.ReadDir(dir) // by name
	if err != nil {
		return nil, err
	}
	var all []Backup
	for _, e := range entries {
		if _, err := time.Parse(form, e.Name()); err != nil || !e.IsDir() {
			continue
		}
		b, err := open(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// open reads the manifest of a backup.
func open(path string) (Backup, error) {
	b := Backup{Path: path}
	text, err := os.ReadFile(filepath.Join(path, manifestName))
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(text, &b.Manifest); err != nil {
		return b, fmt.Errorf("%s is damaged: %w", filepath.Join(path, manifestName), err)
	}
	if b.Format != format {
		return b, fmt.Errorf("%s has format %d, but this program knows %d; use the version of Agora that wrote it", path,
			b.Format, format)
	}
	return b, nil
}

// Find returns the backup that path is, or else the newest one in it.
func Find(path string) (Backup, error) {
	b, err := open(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return b, err
	}
	all, err := list(path)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s has no complete backup", path)
	}
	if err != nil {
		return Backup{}, err
	}
	return all[len(all)-1], nil
}

// Restore puts the data of the backup into a directory, where a private redis-server reads them at its start. The
// directory must be empty or missing. It fails, and leaves nothing to read, if the data are damaged.
func (b Backup) Restore(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return fmt.Errorf("%s is not empty (%s); name a new directory", dir, files[0].Name())
	}
	from, err := os.Open(filepath.Join(b.Path, dumpName))
	if err != nil {
		return err
	}
	defer from.Close()
	unfinished := filepath.Join(dir, newName)
	hash := sha256.New()
	err = create(unfinished, func(w io.Writer) error {
		_, err := io.Copy(io.MultiWriter(w, hash), from)
		return err
	})
	if got := hex.EncodeToString(hash.Sum(nil)); err == nil && got != b.SHA256 {
		err = fmt.Errorf("%s is damaged: its SHA-256 is %s, and was %s", from.Name(), got, b.SHA256)
	}
	if err == nil {
		err = os.Rename(unfinished, filepath.Join(dir, dumpName))
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	return syncDirectory(dir)
}
