package privateredis

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const (
	// markName is the file that identifies a directory as Agora's.
	markName = "agora.json"
	// newSuffix is the suffix of a new file that will replace another.
	newSuffix = ".new"
	// format changes when the files in the directory or their meaning change.
	format = 1
)

// mark is the content of agora.json.
type mark struct {
	Format int `json:"format"`
	// Server is the kind of server that last wrote the data, redis or valkey, and Version its
	// version; both are "" if none has.
	Server  string `json:"server,omitempty"`
	Version string `json:"version,omitempty"`
}

// lastCommon is the last version before Valkey forked from Redis: data of later versions can only
// be read by the same kind of server.
var lastCommon = version{7, 2, 255}

// readMark reads a directory's mark; fs.ErrNotExist if it has none.
func readMark(dir string) (mark, error) {
	path := filepath.Join(dir, markName)
	text, err := os.ReadFile(path)
	if err != nil {
		return mark{}, err
	}
	var f struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return mark{}, fmt.Errorf("%s cannot be read (%w); restore it from a backup", path, err)
	}
	if f.Format != format {
		return mark{}, fmt.Errorf(
			"%s has format %d, but this program only supports format %d; use the version of Agora that wrote it",
			path,
			f.Format,
			format,
		)
	}
	var m mark
	if err := json.Unmarshal(text, &m); err != nil {
		return mark{}, fmt.Errorf("%s cannot be read (%w); restore it from a backup", path, err)
	}
	return m, nil
}

// readableBy returns an error if a server may be unable to read the data.
func (m mark) readableBy(p program) error {
	if m.Server == "" {
		return nil
	}
	writer, err := parseVersion(m.Version)
	if err != nil {
		return fmt.Errorf("%s: %w; restore it from a backup", markName, err)
	}
	if p.version.before(writer) {
		return fmt.Errorf(
			"its data were written by %s-server %s, but %s is %s, which is older and may not be able to read them; install %s "+
				"or later, or name it in REDIS_SERVER",
			m.Server,
			writer,
			p.path,
			p,
			writer,
		)
	}
	if m.Server != p.kind && lastCommon.before(writer) {
		return fmt.Errorf(
			"its data were written by %s-server %s, but %s is %s, which may not be able to read them; install %s-server, or "+
				"name it in REDIS_SERVER",
			m.Server,
			writer,
			p.path,
			p,
			m.Server,
		)
	}
	return nil
}

// write replaces a directory's mark atomically.
func (m mark) write(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, markName)
	if err := writeSynced(path+newSuffix, append(text, '\n')); err != nil {
		return err
	}
	if err := os.Rename(path+newSuffix, path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func writeSynced(path string, text []byte) error {
	f, err := openPlain(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(f.Sync(), f.Close())
}
