package privateredis

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// socketName is the socket's name in the data directory.
const socketName = "redis.sock"

// settings are the child's settings. Paths are relative to the directory, its working directory,
// which keeps the socket's path short.
var settings = []string{
	"--port", "0",
	"--unixsocket", socketName,
	"--unixsocketperm", "700",
	"--dir", ".",
	"--daemonize", "no",
	"--supervised", "no",
	"--logfile", logName,
	"--loglevel", "notice",
	// A write is on disk before it is acknowledged, also during a rewrite of the file.
	"--appendonly", "yes",
	"--appendfsync", "always",
	"--no-appendfsync-on-rewrite", "no",
	"--aof-use-rdb-preamble", "yes",
	// A half-written command of a killed server was never acknowledged. See repairTail.
	"--aof-load-truncated", "yes",
	"--auto-aof-rewrite-percentage", "100",
	// Loading takes about a second per 10 MB.
	"--auto-aof-rewrite-min-size", "8mb",
	// No snapshots in addition, and a failed manual one does not block writes.
	"--save", "",
	"--stop-writes-on-bgsave-error", "no",
	// A backup begins at once.
	"--repl-diskless-sync-delay", "0",
	"--maxmemory", "0",
	"--maxmemory-policy", "noeviction",
	"--zset-max-listpack-entries", "1024",
	"--hash-max-listpack-value", "1024",
	"--enable-debug-command", "no",
	"--enable-module-command", "no",
	"--enable-protected-configs", "no",
}

// child is one process of the server.
type child struct {
	cmd     *exec.Cmd
	pid     int
	ready   time.Time // when it first answered
	logPath string
	logFrom int64         // offset of its lines in the log
	exited  chan struct{} // closed when it has exited and been waited for
	reading bool          // it reads a snapshot
}

// launch starts a child and returns when it answers.
func (s *Server) launch(ctx context.Context, p program) (*child, error) {
	c, err := s.spawn(p)
	if err != nil {
		return nil, err
	}
	if err = s.await(ctx, c); err == nil {
		err = s.dir.writtenBy(p)
	}
	if err == nil && c.reading {
		err = s.keepDump(ctx, c)
	}
	if err != nil {
		c.stop(s.grace)
		return nil, err
	}
	c.ready = time.Now()
	return c, nil
}

// spawn starts the process. It inherits the lock, so that the directory stays locked until it
// exits, but not the terminal's signals: it must outlive the requests in progress when the user
// presses Ctrl-C.
func (s *Server) spawn(p program) (*child, error) {
	if err := s.dir.tidy(); err != nil {
		return nil, err
	}
	if err := s.repairTail(); err != nil {
		return nil, fmt.Errorf("repair the append-only file: %w", err)
	}
	dump, err := s.mustReadDump()
	if err != nil {
		return nil, err
	}
	log, from, err := openLog(s.dir.path)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args := settings
	switch {
	case dump:
		args = slices.Concat(settings, reading)
	case s.full:
		args = slices.Concat(settings, refusing)
	}
	cmd := exec.Command(p.path, args...)
	cmd.Dir = s.dir.path
	cmd.Stdout, cmd.Stderr = log, log // output before it has read its settings
	cmd.ExtraFiles = []*os.File{s.dir.lock}
	cmd.SysProcAttr = attributes()
	if err := startPrivately(cmd); err != nil {
		return nil, err
	}
	c := &child{
		cmd:     cmd,
		pid:     cmd.Process.Pid,
		logFrom: from,
		logPath: filepath.Join(s.dir.path, logName),
		exited:  make(chan struct{}),
		reading: dump,
	}
	go func() { // ends with the process
		cmd.Wait()
		close(c.exited)
	}()
	return c, nil
}

// repairTail cuts off a half-written end that a killed server left, and logs that.
func (s *Server) repairTail() error {
	t, err := s.dir.repairTail(time.Now())
	if t == nil || err != nil {
		return err
	}
	attrs := []any{"file", t.file, "bytes", t.bytes}
	if t.keepErr != nil {
		attrs = append(attrs, "no copy", t.keepErr)
	} else {
		attrs = append(attrs, "copy", t.kept)
	}
	s.log.Warn("the append-only file ended within a write; the incomplete write was cut off", attrs...)
	return nil
}

const (
	// poll is how often a starting child is pinged.
	poll = 5 * time.Millisecond
	// slow is the duration after which a start is logged.
	slow = 2 * time.Second
)

// await returns when the child answers and has all its data in memory.
func (s *Server) await(ctx context.Context, c *child) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	defer time.AfterFunc(slow, func() {
		s.log.Info("still waiting for "+s.program.kind+"-server to load its data", "pid", c.pid, "directory", s.dir.path)
	}).Stop()
	for {
		if pid, err := ping(ctx, s.socket); err == nil {
			if pid == c.pid {
				return nil
			}
			return fmt.Errorf(
				"process %d answers at %s, not process %d, which was started; if REDIS_SERVER is a script, it must end in exec",
				pid,
				s.socket,
				c.pid,
			)
		}
		select {
		case <-tick.C:
		case <-c.exited:
			return fmt.Errorf(
				"it exited while starting (%s); the end of %s:\n%s",
				c.cmd.ProcessState,
				c.logPath,
				tail(c.logPath, c.logFrom, 8),
			)
		case <-ctx.Done():
			return fmt.Errorf("it had not loaded its data yet: %w", context.Cause(ctx))
		}
	}
}

// stop ends the child and its forks, and returns when it has exited.
func (c *child) stop(grace time.Duration) {
	c.cmd.Process.Signal(syscall.SIGTERM)
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-c.exited:
	case <-t.C:
	}
	killGroup(c.pid)
	<-c.exited
}

// end describes how a dead child ended. If it exited by itself, its log has the reason.
func (c *child) end() string {
	how := c.cmd.ProcessState.String()
	if c.cmd.ProcessState.Exited() {
		return how + ": " + tail(c.logPath, c.logFrom, 2)
	}
	return how
}
