// Package cli is the command line: one file for each command, and the server that serve runs.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"agora/internal/auth"
	"agora/internal/httpserver"
	"agora/internal/store"
)

// program is one run of the command line.
type program struct {
	schema         string // the text of schema.graphqls
	docs           fs.FS  // the project's documentation
	stdin          io.Reader
	stdout, stderr io.Writer
	log            *slog.Logger
	hooks          Hooks
}

// Hooks replace parts of the program, for tests that start it as a separate process.
type Hooks struct {
	// Hashing and Storing are options of the hasher and of the store.
	Hashing []auth.Option
	Storing []store.Option
}

// Main runs the command line of this process, and returns its exit code. schema is the text of schema.graphqls, docs
// the files of the documentation, in the form that package docs accepts.
func Main(schema string, docs fs.FS) int { return MainWith(schema, docs, Hooks{}) }

// MainWith is Main with parts of the program replaced.
func MainWith(schema string, docs fs.FS, h Hooks) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process immediately
	store.LogRedis(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	p := newProgram(schema, docs, os.Stdin, os.Stdout, os.Stderr)
	p.hooks = h
	if err := p.run(ctx, os.Args, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "agora:", err)
		return 1
	}
	return 0
}

func newProgram(schema string, docs fs.FS, stdin io.Reader, stdout, stderr io.Writer) program {
	return program{
		schema: schema,
		docs:   docs,
		stdin:  stdin,
		stdout: stdout,
		stderr: stderr,
		log:    slog.New(httpserver.LogRequestIDs(slog.NewTextHandler(stderr, nil))),
	}
}

// run runs a command.
func (p program) run(ctx context.Context, args []string, getenv func(string) string) error {
	return execute(ctx, args, actions{
		serve:       p.serve,
		init:        p.init,
		check:       p.check,
		doctor:      p.doctor,
		backup:      p.backup,
		restore:     p.restore,
		createUser:  p.createUser,
		setPassword: p.setPassword,
		setRole:     p.setRole,
		importFiles: p.importFiles,
		export:      p.export,
		migrate:     p.migrate,
		log:         p.printLog,
		printSchema: p.printSchema,
		lintSchema:  p.lintSchema,
		diffSchemas: p.diffSchemas,
		health:      p.health,
		version:     p.printVersion,
	}, getenv, p.stdout, p.stderr)
}

// open connects to the data named in the configuration.
func (p program) open(ctx context.Context, c config) (*store.Connection, *store.Store, error) {
	conn, err := p.connect(ctx, c, false)
	if err != nil {
		return nil, nil, err
	}
	options := append([]store.Option{store.WithLog(p.log), store.WithTasksAtOnce(tasksAtOnce),
		store.WithObjectCache(c.ObjectCache)}, p.hooks.Storing...)
	s, err := store.Open(ctx, conn, store.Layout{TimeZone: c.TimeZone}, options...)
	if err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return conn, s, nil
}

// connect opens the connection to the data named in the configuration. With readOnly they must exist, and nothing is
// written.
func (p program) connect(ctx context.Context, c config, readOnly bool) (*store.Connection, error) {
	o := p.connectOptions(c, readOnly)
	if c.DataDir != "" {
		if _, err := os.Stat(c.DataDir); readOnly && err != nil {
			return nil, fmt.Errorf("--data: %w", err) // otherwise the directory is made
		}
		return store.ConnectData(ctx, c.DataDir, o)
	}
	return store.Connect(ctx, c.RedisURL, o)
}

func (p program) connectOptions(c config, readOnly bool) store.ConnectOptions {
	return store.ConnectOptions{
		Timeout: c.RedisTimeout, AllowEviction: c.AllowEviction, AllowOtherKeys: c.AllowOtherKeys, ReadOnly: readOnly,
		AllowAway:  c.partly,
		Replicated: c.Durability == durabilityReplicated, FromReplicas: c.ReadFrom == readFromReplica,
		Log: p.log,
	}
}
