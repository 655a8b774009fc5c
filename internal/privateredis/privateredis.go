// Package privateredis runs a redis-server (or valkey-server) as a child of this process, on a unix
// socket in a data directory that belongs to Agora alone. Acknowledged writes are on disk, and a
// child that dies is restarted on the same data.
//
// The child ends with this process. On Linux the kernel ensures that, however the process ends,
// including kill -9. On other Unixes only Stop ends the child: if this process is killed, the child
// keeps running and the directory stays locked until it is shut down by hand. On other systems
// Start fails.
//
// The directory must be on a local file system, because the lock is inherited:
//
//	agora.json     format of the directory, server that last wrote it
//	lock           locked while a server runs; pid of the process that started it
//	redis.sock     socket of the running server, mode 0700
//	redis.log      the server's log; redis.log.1 is the previous one
//	appendonlydir  the data
//	dump.rdb       a snapshot that a first start reads; then it is called loaded.rdb
//	room           written briefly while the disk is full, to test it
//	torn-*.aof     data cut off the end after a crash, see repairTail
//
// The directory and all files in it belong to the user who runs the process, and are not accessible
// to others.
package privateredis

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
)

// stopGrace is how long the child may take to exit. It has nothing to save, because every write is
// on disk before it is acknowledged.
const stopGrace = 5 * time.Second

// Server is a redis-server that is restarted when it dies.
type Server struct {
	log     *slog.Logger
	dir     *directory
	program program // found at the start
	socket  string
	release func() // releases resources of the socket's path
	grace   time.Duration
	// full reports whether the disk is full, so that the child refuses writes; only the goroutine
	// of run uses it. room checks whether there is space again.
	full   bool
	room   func(dir string) error
	failed chan error
	cancel context.CancelFunc
	ended  chan struct{} // closed when no child runs or will be started
	once   sync.Once
}

// Start starts a server on the data in dir, which is created if it is missing, and returns when the
// server answers. The program is the one named by REDIS_SERVER, or redis-server or valkey-server in
// PATH, 7.0 or later. ctx only bounds the start. Start refuses a directory that is not Agora's, is
// used by another process, or is accessible to other users.
func Start(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return start(ctx, dir, log, hasSpace)
}

// start is Start with another check for disk space.
func start(ctx context.Context, dir string, log *slog.Logger, room func(dir string) error) (*Server, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("data directory %s: %w", dir, err)
	}
	program, err := findProgram(ctx)
	if err != nil {
		return nil, err
	}
	d, err := openDirectory(ctx, path, program)
	if err != nil {
		return nil, err
	}
	s := &Server{
		log:     log,
		dir:     d,
		program: program,
		grace:   stopGrace,
		room:    room,
		failed:  make(chan error, 1),
		ended:   make(chan struct{}),
	}
	if s.socket, s.release, err = socketPath(path); err != nil {
		d.close()
		return nil, fmt.Errorf("data directory %s: %w", path, err)
	}
	life, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	ready := make(chan error)
	go s.run(life, ctx, ready) // ends with Stop, when the first start fails, or when run gives up
	if err := <-ready; err != nil {
		s.Stop()
		return nil, fmt.Errorf("%s in %s: %w", program, path, err)
	}
	return s, nil
}

// Running returns the path at which this process reaches the server that another process runs in dir, or "" if none
// answers. release must be called when the path is no longer needed.
func Running(ctx context.Context, dir string) (path string, release func(), err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", nil, err
	}
	if path, release, err = socketPath(dir); err != nil {
		return "", nil, err
	}
	if _, err := ping(ctx, path); err != nil {
		release()
		return "", func() {}, nil
	}
	return path, release, nil
}

// Socket returns the path at which this process reaches the server. It is not always in the
// directory, because a socket's path is limited to about 100 bytes.
func (s *Server) Socket() string { return s.socket }

// String names the server and its directory, such as "redis-server 7.0.15 in /srv/agora".
func (s *Server) String() string { return s.program.String() + " in " + s.dir.path }

// Failed receives one error if the server cannot be restarted. Stop must still be called. The
// channel is never closed.
func (s *Server) Failed() <-chan error { return s.failed }

// Stop ends the server and returns when it has exited and the directory is unlocked. It is
// idempotent and safe for concurrent use.
func (s *Server) Stop() {
	s.once.Do(func() {
		s.cancel()
		<-s.ended
		s.release()
		s.dir.close()
	})
}

// run starts a child and restarts it until life ends. The kernel kills the child when the thread
// that started it ends, so this goroutine is locked to its thread.
func (s *Server) run(life, first context.Context, ready chan<- error) {
	defer close(s.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread() // no child runs by then
	c, err := s.launch(first, s.program)
	ready <- err
	if err == nil {
		s.keep(life, c)
	}
	os.Remove(filepath.Join(s.dir.path, socketName)) // a killed child leaves it behind
}
