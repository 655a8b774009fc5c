package main

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/redis/go-redis/v9"

	"agora/breadth"
)

// pipeline has the commands that the resolvers of one response have queued since the last round trip. It implements
// breadth.Loads.
type pipeline struct {
	ctx  context.Context
	pipe redis.Pipeliner
}

// Dispatch sends the commands. Each has its own error, so that a failing one fails only who asked.
func (p *pipeline) Dispatch() { _, _ = p.pipe.Exec(p.ctx) }

// Close drops what was queued and not sent.
func (p *pipeline) Close() { p.pipe.Discard() }

type pipelineKey struct{}

// withPipeline gives each response a pipeline of its own.
func (r *resolver) withPipeline(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	return next(context.WithValue(ctx, pipelineKey{}, &pipeline{ctx, r.client.Pipeline()}))
}

// pipelineOf is the option of the executor: it finds the pipeline of a response.
func pipelineOf(ctx context.Context) breadth.Loads { return ctx.Value(pipelineKey{}).(*pipeline) }

// read queues commands, and returns when their replies are there. On the way, all other resolvers that can run do so,
// and queue theirs: everything goes in one round trip.
func (r *resolver) read(ctx context.Context, queue func(redis.Pipeliner)) error {
	p, shared := ctx.Value(pipelineKey{}).(*pipeline)
	if !shared { // on gqlgen's executor, which the tests compare
		_, err := r.client.Pipelined(ctx, func(own redis.Pipeliner) error {
			queue(own)
			return nil
		})
		return err
	}
	queue(p.pipe)
	return breadth.Wait(ctx)
}

// each queues one command for each object, and returns them with their replies.
func each[T any, C redis.Cmder](
	ctx context.Context, r *resolver, of []T, command func(redis.Pipeliner, T) C,
) ([]C, error) {
	commands := make([]C, len(of))
	err := r.read(ctx, func(p redis.Pipeliner) {
		for i, o := range of {
			commands[i] = command(p, o)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, c := range commands {
		if err := c.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return nil, err
		}
	}
	return commands, nil
}
