package privateredis

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// lockName is the file that is locked while a server runs.
	lockName = "lock"
	// lockWait is how long a start waits for the lock: the child of a killed process takes a moment
	// to die.
	lockWait = 2 * time.Second
	// lockPoll is how often it tries.
	lockPoll = 10 * time.Millisecond
)

// errLocked is the error of tryLock if the lock is taken.
var errLocked = errors.New("locked")

// LockDirectory locks a directory itself, for something other than a server, until the file is closed or this process
// ends.
func LockDirectory(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := tryLock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return f, nil
}

// acquire locks a directory. The lock lasts until all processes that have
// inherited the file have closed it.
func acquire(ctx context.Context, dir string) (*os.File, error) {
	f, err := openPlain(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nil, err
	}
	tick, late := time.NewTicker(lockPoll), time.NewTimer(lockWait)
	defer tick.Stop()
	defer late.Stop()
	for {
		err := tryLock(f)
		if err == nil {
			return f, nil
		}
		if errors.Is(err, errLocked) {
			select {
			case <-tick.C:
				continue
			case <-late.C:
				err = inUse(dir, f)
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		f.Close()
		return nil, err
	}
}

// inUse returns an error that names the holder of the lock.
func inUse(dir string, f *os.File) error {
	socket := filepath.Join(dir, socketName)
	text := make([]byte, 20)
	n, _ := f.ReadAt(text, 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text[:n])))
	if err == nil && !alive(pid) {
		return fmt.Errorf(
			"it is still in use by the redis-server of process %d, which has ended; try again in a moment, or stop it with: "+
				"redis-cli -s '%s' shutdown",
			pid,
			socket,
		)
	}
	who := "another process"
	if err == nil {
		who = fmt.Sprintf("process %d", pid)
	}
	hint := "--redis-url '" + (&url.URL{Scheme: "unix", Path: socket}).String() + "'"
	if len(socket) > maxSocket {
		hint = "--redis-url and a short symbolic link to it, because its socket's path is too long"
	}
	return fmt.Errorf("it is in use by %s; while that is running, other commands can access its data with %s", who, hint)
}

// writePID records the holder of the lock for other processes.
func writePID(lock *os.File) error {
	if err := lock.Truncate(0); err != nil {
		return err
	}
	_, err := lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}
