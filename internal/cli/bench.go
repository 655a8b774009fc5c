package cli

import (
	"context"
	"os"

	"agora/internal/bench"
	"agora/internal/bench/subject"
)

// bench measures the server; the subjects are processes of this same program.
func (p program) bench(ctx context.Context, o bench.Options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o.Schema, o.Command, o.Out = p.schema, []string{self, "bench", "serve"}, p.stdout
	if isTerminal(p.stderr) {
		o.Progress = p.stderr
	}
	return bench.Run(ctx, o)
}

// serveSubject serves what bench measures.
func (p program) serveSubject(ctx context.Context, name, redisURL string) error {
	return subject.Serve(ctx, subject.Options{Name: name, RedisURL: redisURL, Schema: p.schema}, p.stdin, p.stdout)
}
