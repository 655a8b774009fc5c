package privateredis

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const (
	// logName is the server's log in the data directory.
	logName = "redis.log"
	// maxLog is the size in bytes from which a start renames the log to redis.log.1.
	maxLog = 1 << 20
	// maxTail is how much of the log's end is searched for its last lines, in bytes.
	maxTail = 4 << 10
)

// openLog opens the server's log for appending, and returns its size.
func openLog(dir string) (*os.File, int64, error) {
	path := filepath.Join(dir, logName)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, 0, err
	case info.Size() > maxLog:
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, 0, err
		}
	}
	f, err := openPlain(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// tail returns the last n lines of a file after a position.
func tail(path string, from int64, n int) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		from = max(from, info.Size()-maxTail)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, from, maxTail))
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if lines[0] == "" {
		return "(its log is empty)"
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
