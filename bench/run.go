package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"

	"agora/bench/dataset"
	"agora/bench/document"
	"agora/bench/subject"
	"agora/internal/store/fsck"
)

// benchmark is one run.
type benchmark struct {
	o         options
	clients   int // the most at a time
	db        *database
	site      *site
	children  map[string]*child
	bare      *bare
	latencies latencies
	bar       *progressbar.ProgressBar
	report    *Report
	// posted counts acknowledged posts, by document.
	posted map[string]*counted
}

// run measures, and writes the report.
func run(ctx context.Context, o options) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	began := time.Now()
	b := &benchmark{o: o, clients: slices.Max(o.Clients), children: map[string]*child{}, posted: map[string]*counted{}}
	defer func() { err = errors.Join(err, b.close()) }()
	for _, step := range []func(context.Context) error{b.start, b.startSubjects, b.compare, b.measure, b.goroutines,
		b.profiles, b.verify, b.growth} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	b.bar.Clear()
	b.report.Goals = b.report.goals()
	b.report.Took = time.Since(began).Seconds()
	if o.JSON != "" {
		if err := b.report.writeJSON(o.JSON); err != nil {
			return err
		}
	}
	return b.report.writeMarkdown(o.Out)
}

// start starts Redis and fills it.
func (b *benchmark) start(ctx context.Context) error {
	var err error
	b.progress("", 1)
	if b.db, err = startRedis(ctx, b.o.Durable); err != nil {
		return err
	}
	version, err := b.db.version(ctx)
	if err != nil {
		return err
	}
	if b.site, err = b.newSite(ctx, "write the forum", 0, dataset.Standard(b.o.Scale)); err != nil {
		return err
	}
	stats, err := b.site.store.Stats(ctx)
	if err != nil {
		return err
	}
	b.report = &Report{
		Machine:  thisMachine(version, b.o.Durable),
		Scale:    b.o.Scale,
		Users:    stats.Users,
		Topics:   stats.Topics,
		Comments: stats.Comments,
		Rounds:   b.o.Rounds,
		Seconds:  b.o.Duration.Seconds(),
	}
	return nil
}

func (b *benchmark) newSite(ctx context.Context, what string, db int, p dataset.Plan) (*site, error) {
	b.progress(what, p.Count())
	return newSite(ctx, b.db.url(db), p, b.clients, func(done int) { b.bar.Set(done) })
}

// progress begins a new progress bar.
func (b *benchmark) progress(what string, total int) {
	if b.bar != nil {
		b.bar.Clear()
	}
	out := b.o.Progress
	if out == nil {
		out = io.Discard
	}
	const barEvery = 100 * time.Millisecond
	b.bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(out), progressbar.OptionSetDescription(what),
		progressbar.OptionSetVisibility(b.o.Progress != nil && what != ""), progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(barEvery), progressbar.OptionClearOnFinish())
}

// startSubjects starts the necessary processes, and records what bare go-redis sends.
func (b *benchmark) startSubjects(ctx context.Context) error {
	for _, d := range b.o.documents() {
		for _, name := range b.o.subjects(d) {
			if b.children[name] != nil || name == bareRedis && b.bare != nil {
				continue
			}
			if name == bareRedis {
				recorded, err := b.site.record(ctx, b.db.url(0), b.clients)
				if err != nil {
					return fmt.Errorf("record a reply: %w", err)
				}
				b.count(document.Reply).n.Add(int64(len(recorded)))
				if b.bare, err = newBare(ctx, b.db.url(0), recorded); err != nil {
					return err
				}
				continue
			}
			child, err := b.startSubject(ctx, name)
			if err != nil {
				return err
			}
			b.children[name] = child
		}
	}
	return nil
}

func (b *benchmark) startSubject(ctx context.Context, name string) (*child, error) {
	if name != before {
		return startChild(ctx, b.o.Command, name, b.db.url(0))
	}
	c, err := startChild(ctx, []string{b.o.Before, "serve"}, subject.Agora, b.db.url(0))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.o.Before, err)
	}
	c.name = before
	return c, nil
}

func (b *benchmark) close() error {
	var errs []error
	for _, c := range b.children {
		errs = append(errs, c.stop())
	}
	if b.bare != nil {
		b.bare.close()
	}
	if b.site != nil {
		b.site.close()
	}
	if b.db != nil {
		b.db.stop()
	}
	return errors.Join(errs...)
}

// verify checks that everything that was posted exists, and nothing twice.
func (b *benchmark) verify(ctx context.Context) error {
	if b.bare != nil {
		if err := b.bare.rest(); err != nil {
			return err
		}
		if err := b.site.score(ctx); err != nil {
			return err
		}
	}
	if err := b.site.store.Flush(ctx); err != nil {
		return err
	}
	stats, err := b.site.store.Stats(ctx)
	if err != nil {
		return err
	}
	topics, comments := stats.Topics-b.report.Topics, stats.Comments-b.report.Comments
	if posts, replies := b.count(document.Post).n.Load(), b.count(document.Reply).n.Load(); int64(topics) != posts ||
		int64(comments) != replies {
		return fmt.Errorf("%d topics and %d comments were posted; there are %d and %d more", posts, replies, topics, comments)
	}
	if !b.o.Check {
		return nil
	}
	report, err := fsck.Check(ctx, b.site.store, fsck.Options{})
	if err == nil && report.Found > 0 {
		err = fmt.Errorf("%d findings, the first %s", report.Found, report.Findings[0])
	}
	return err
}
