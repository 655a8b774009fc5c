package privateredis

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A backup may be a snapshot. A redis-server that keeps an append-only file does not read snapshots,
// so it is started without one on a directory that has only a snapshot. Then it writes the file. A
// start that is interrupted begins again.

const (
	// dumpName is the name of a snapshot to read.
	dumpName = "dump.rdb"
	// loadedName is its name once its data are in the append-only file.
	loadedName = "loaded.rdb"
)

// reading are additional settings that make the server read a snapshot, and refuse writes, which
// would not be on disk yet.
var reading = []string{"--appendonly", "no", "--dbfilename", dumpName, "--min-replicas-to-write", "1"}

const (
	// keeping is the command that starts an append-only file with the data in memory.
	keeping = "CONFIG SET appendonly yes\r\n"
	// kept is the command that accepts writes once it is complete.
	kept = "CONFIG SET min-replicas-to-write 0\r\n"
)

// hasDump reports whether a directory has a snapshot, and hasFile whether it has an append-only
// file.
func hasDump(dir string) (bool, error) { return exists(filepath.Join(dir, dumpName)) }

func hasFile(dir string) (bool, error) { return exists(filepath.Join(dir, aofDir, aofManifest)) }

func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// mustReadDump reports whether the data are in a snapshot. It logs that one is ignored.
func (s *Server) mustReadDump() (bool, error) {
	dump, err := hasDump(s.dir.path)
	if err != nil || !dump {
		return false, err
	}
	file, err := hasFile(s.dir.path)
	if err == nil && file {
		s.log.Warn("a snapshot is not read, because the directory has data; to restore it, move it to a new directory",
			"file", filepath.Join(s.dir.path, dumpName))
	}
	return !file, err
}

// keepDump returns when what a child has read from a snapshot is in its append-only file, and writes
// are accepted.
func (s *Server) keepDump(ctx context.Context, c *child) error {
	if err := configure(ctx, s.socket, keeping); err != nil {
		return err
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		file, err := hasFile(s.dir.path)
		if err != nil {
			return err
		}
		if file {
			break
		}
		state, err := infoField(ctx, s.socket, "persistence", "aof_last_bgrewrite_status")
		if err != nil || state != "ok" {
			return errors.Join(err, fmt.Errorf("it could not write its append-only file; the end of %s:\n%s", c.logPath,
				tail(c.logPath, c.logFrom, 4)))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("it had not written its append-only file yet: %w", context.Cause(ctx))
		}
	}
	if err := configure(ctx, s.socket, kept); err != nil {
		return err
	}
	loaded := filepath.Join(s.dir.path, loadedName)
	s.log.Info("a snapshot was read, and its data are in the append-only file", "snapshot", loaded)
	return os.Rename(filepath.Join(s.dir.path, dumpName), loaded)
}
