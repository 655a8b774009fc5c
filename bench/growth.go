package main

import (
	"context"
	"fmt"
	"slices"

	"agora/bench/dataset"
	"agora/bench/document"
	"agora/bench/subject"
)

// small and large are the numbers of topics of the two forums.
const small, large = 2_000, 200_000

// growthRounds is a factor on the number of rounds: the expected difference is small.
const growthRounds = 2

// growth measures the front page of two forums that differ only in the number of their topics, alternately.
func (b *benchmark) growth(ctx context.Context) error {
	if !b.o.Growth || !slices.Contains(b.o.Only, document.Front.Name) || !slices.Contains(b.o.Subjects, subject.Agora) {
		return nil
	}
	clients := many
	if !slices.Contains(b.o.Clients, clients) {
		clients = b.o.Clients[0]
	}
	var servers []*child
	defer func() {
		for _, c := range servers {
			_ = c.stop() // it has answered everything
		}
	}()
	for i, topics := range []int{small, large} {
		topics = max(int(float64(topics)*b.o.Scale), 100*(i+1))
		name := fmt.Sprintf("%d topics", topics)
		s, err := b.newSite(ctx, "write "+name, i+1, dataset.Sparse(topics))
		if err != nil {
			return err
		}
		s.close()
		c, err := startChild(ctx, b.o.Command, subject.Agora, b.db.url(i+1))
		if err != nil {
			return err
		}
		servers = append(servers, c)
		b.report.Growth = append(b.report.Growth, &Result{Document: name, Subject: subject.Agora, Clients: clients})
	}
	rounds := growthRounds * b.o.Rounds
	b.progress("measure growth", rounds)
	for round := range rounds {
		b.bar.Add(1)
		for i := range servers {
			which := (i + round) % len(servers)
			sample, err := b.sampleOf(ctx, servers[which], clients)
			if err != nil {
				return fmt.Errorf("growth: %w", err)
			}
			b.report.Growth[which].Rounds = append(b.report.Growth[which].Rounds, sample)
		}
	}
	for _, r := range b.report.Growth {
		r.summarize()
	}
	return nil
}

// sampleOf measures the front page of a server once.
func (b *benchmark) sampleOf(ctx context.Context, server *child, clients int) (Sample, error) {
	c := newCaller(server.HTTP, clients, b.site.requests(document.Front, clients))
	defer c.close()
	return b.time(ctx, c.call, server.usage, clients)
}
