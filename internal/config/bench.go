package config

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"agora/internal/bench"
)

func benchCommand(a Actions) *cli.Command {
	return &cli.Command{
		Name: "bench", Usage: "measure the server against a handler written by hand, gqlgen's executor and the usual set-up",
		Description: "Starts a redis-server of its own and a process for each subject, writes a forum of 2,000 users, 20,000 topics and 200,000 comments, " +
			"compares the answers of all subjects, and measures them in turns. Prints tables in Markdown. As it stands it takes about ten minutes, and wants an idle machine.\n\n" +
			"Subjects: limit, a handler written by hand for these documents with go-redis's own calls, which the goals go by; " +
			"tuned, the same with as few allocations as go-redis allows; bare, one that knows { __typename } only; go-redis, the commands of a reply without a server; " +
			"agora; gqlgen, agora on gqlgen's executor; usual, plain resolvers and dataloaders that wait a millisecond.\n\n" +
			"CPU is that of the server's process and, apart, that of Redis. Allocations and goroutines are the server's. The first row of each number of clients is what × refers to.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "rounds", Usage: "measure everything so often; medians count", Value: 5},
			&cli.DurationFlag{Name: "duration", Usage: "measure so long each time, after a fifth of it to warm up", Value: time.Second},
			&cli.IntSliceFlag{Name: "clients", Usage: "clients that ask at once", Value: []int{1, 16, 64}},
			&cli.FloatFlag{Name: "scale", Usage: "size of the forum", Value: 1},
			&cli.StringSliceFlag{Name: "only", Usage: "documents to measure: " + strings.Join(bench.DocumentNames(), ", ") + "; all if left out"},
			&cli.StringSliceFlag{Name: "subjects", Usage: "subjects to measure: " + strings.Join(bench.SubjectNames, ", ") + "; all if left out"},
			&cli.BoolFlag{Name: "growth", Usage: "compare forums of 2,000 and 200,000 topics; --growth=false leaves that out", Value: true},
			&cli.BoolFlag{Name: "durable", Usage: "have Redis write to disk before it acknowledges; else it keeps nothing on disk"},
			&cli.BoolFlag{Name: "check", Usage: "verify all data in the end, as the command check does"},
			&cli.StringFlag{Name: "json", Usage: "write all figures to `FILE`"},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return errors.New("bench takes flags only; --help lists them")
			}
			return a.Bench(ctx, bench.Options{
				Rounds: cmd.Int("rounds"), Duration: cmd.Duration("duration"), Clients: cmd.IntSlice("clients"), Scale: cmd.Float("scale"),
				Only: cmd.StringSlice("only"), Subjects: cmd.StringSlice("subjects"), Growth: cmd.Bool("growth"), Durable: cmd.Bool("durable"),
				Check: cmd.Bool("check"), JSON: cmd.String("json"),
			})
		},
		Commands: []*cli.Command{{
			Name: "serve", Usage: "serve one subject until standard input ends", Hidden: true,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "subject", Usage: "the subject", Required: true},
				&cli.StringFlag{Name: "redis", Usage: "where its data are", Required: true},
			},
			Action: func(ctx context.Context, cmd *cli.Command) error {
				return a.ServeSubject(ctx, cmd.String("subject"), cmd.String("redis"))
			},
		}},
	}
}
