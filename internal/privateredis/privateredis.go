// Package privateredis runs a redis-server (or valkey-server) as a child of this
// process, on a unix socket in a data directory that belongs to Agora alone. What
// the child has acknowledged is on disk: a child that dies is started again on it.
//
// The child ends with this process. On Linux the kernel sees to it, however the
// process ends, kill -9 included. On other Unixes only Stop ends the child: one
// whose parent was killed lives on and keeps the directory locked until it is shut
// down by hand. Elsewhere Start fails.
//
// The directory must be on a local file system, because the lock is inherited:
//
//	agora.json     format of the directory, server that last wrote it
//	lock           locked while a server runs; pid of the process that started it
//	redis.sock     socket of the running server, mode 0700
//	redis.log      what the server says; redis.log.1 is the one before
//	appendonlydir  the data
//	room           written for a moment, when the disk was full
//	torn-*.aof     what was cut off the data's end after a crash, see mend
//
// The directory and all in it belong to the user who runs this, and are for no other.
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

// stopGrace is how long the child may take to end by itself. There is nothing it
// must save: every write is on disk before it is acknowledged.
const stopGrace = 5 * time.Second

// Server is a redis-server that is kept running.
type Server struct {
	log     *slog.Logger
	dir     *directory
	program program // that was found at the start
	socket  string
	release func() // gives up what the socket's path needs
	grace   time.Duration
	// full reports whether the disk is full, so that the child refuses writes; only the
	// goroutine of run uses it. room looks whether there is room again.
	full   bool
	room   func(dir string) error
	failed chan error
	cancel context.CancelFunc
	ended  chan struct{} // closed when no child runs any more, nor will
	once   sync.Once
}

// Start starts a server on the data in dir, which is made if it is missing, and
// returns when it answers. The program is the one that REDIS_SERVER names, or
// redis-server or valkey-server in PATH, 7.0 or later. ctx bounds the start only.
// A directory that is not Agora's, that another process uses, or that is open to other
// users is refused.
func Start(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return start(ctx, dir, log, hasSpace)
}

// start is Start with another way to look whether a disk has room.
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
	go s.run(life, ctx, ready) // ends with Stop, when the first start fails, and when the server is given up
	if err := <-ready; err != nil {
		s.Stop()
		return nil, fmt.Errorf("%s in %s: %w", program, path, err)
	}
	return s, nil
}

// Socket is the path at which this process reaches the server. It is not always
// in the directory: a socket's path is limited to some 100 bytes.
func (s *Server) Socket() string { return s.socket }

// String tells what runs where, such as "redis-server 7.0.15 in /srv/agora".
func (s *Server) String() string { return s.program.String() + " in " + s.dir.path }

// Failed receives one error when the server cannot be started again and is given
// up; Stop must still be called. It is never closed.
func (s *Server) Failed() <-chan error { return s.failed }

// Stop ends the server and returns when it is gone and the directory is free. It
// may be called again, and by several goroutines.
func (s *Server) Stop() {
	s.once.Do(func() {
		s.cancel()
		<-s.ended
		s.release()
		s.dir.close()
	})
}

// run starts a child and keeps one running until life ends. The kernel kills the
// child when the thread that started it ends: so this goroutine keeps its thread.
func (s *Server) run(life, first context.Context, ready chan<- error) {
	defer close(s.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread() // no child is left by then
	c, err := s.launch(first, s.program)
	ready <- err
	if err == nil {
		s.keep(life, c)
	}
	os.Remove(filepath.Join(s.dir.path, socketName)) // a child that was killed leaves it
}
