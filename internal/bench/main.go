// Bench measures the server against what else one could do: against a handler
// written by hand for the same documents with go-redis's own calls (limit), which
// the goals go by, and with as few allocations as go-redis allows (tuned), against
// itself on gqlgen's executor, against the set-up that tutorials teach (usual),
// and, for replies, against bare go-redis that sends the same commands. Each
// server is a process of its own; this one makes the data, sends requests, and
// reports.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"agora/internal/bench/subject"
)

const description = `Starts a redis-server of its own and a process for each subject, writes a forum of 2,000 users, 20,000 topics
and 200,000 comments, compares the answers of all subjects, and measures them in turns. Prints tables in Markdown.
With the defaults it takes about ten minutes, and wants an idle machine.

Subjects: limit, a handler written by hand for these documents with go-redis's own calls, which the goals go by;
tuned, the same with as few allocations as go-redis allows; bare, one that knows { __typename } only;
go-redis, the commands of a reply without a server; agora; gqlgen, agora on gqlgen's executor;
usual, plain resolvers and dataloaders that wait a millisecond.

CPU is that of the server's process and, apart, that of Redis. Allocations and goroutines are the server's.
The first row of each number of clients is what × refers to.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand(os.Stdin, os.Stdout, os.Stderr).Run(ctx, os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// newCommand returns the command line.
func newCommand(stdin io.Reader, stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "bench",
		Usage:       "measure the server against a handler written by hand, gqlgen's executor and the usual set-up",
		Description: description,
		Writer:      stdout, ErrWriter: stderr, HideVersion: true,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		Flags:          flags(),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return errors.New("bench takes flags only; --help lists them")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			o := readOptions(cmd)
			o.Command, o.Out = []string{self, "serve"}, stdout
			if file, ok := stderr.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
				o.Progress = stderr
			}
			return run(ctx, o)
		},
		Commands: []*cli.Command{{
			Name: "serve", Usage: "serve one subject until standard input ends", Hidden: true,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "subject", Usage: "the subject", Required: true},
				&cli.StringFlag{Name: "redis", Usage: "where its data are", Required: true},
			},
			Action: func(ctx context.Context, cmd *cli.Command) error {
				return subject.Serve(ctx, cmd.String("subject"), cmd.String("redis"), stdin, stdout)
			},
		}},
	}
}

func flags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "rounds", Usage: "measure everything so often; medians count", Value: 5, Local: true},
		&cli.DurationFlag{
			Name: "duration", Usage: "measure so long each time, after a fifth of it to warm up",
			Value: time.Second, Local: true,
		},
		&cli.IntSliceFlag{Name: "clients", Usage: "clients that ask at once", Value: []int{1, 16, 64}, Local: true},
		&cli.FloatFlag{Name: "scale", Usage: "size of the forum", Value: 1, Local: true},
		&cli.StringSliceFlag{
			Name: "only", Usage: "documents to measure: " + strings.Join(documentNames(), ", ") + "; all if left out",
			Local: true,
		},
		&cli.StringSliceFlag{
			Name: "subjects", Usage: "subjects to measure: " + strings.Join(subjectNames, ", ") + "; all if left out",
			Local: true,
		},
		&cli.BoolFlag{
			Name: "growth", Usage: "compare forums of 2,000 and 200,000 topics; --growth=false leaves that out",
			Value: true, Local: true,
		},
		&cli.BoolFlag{
			Name: "durable", Usage: "have Redis write to disk before it acknowledges; else it keeps nothing on disk",
			Local: true,
		},
		&cli.BoolFlag{
			Name: "check", Usage: "verify all data in the end, as the server's command check does", Local: true,
		},
		&cli.StringFlag{Name: "json", Usage: "write all figures to `FILE`", Local: true},
	}
}

func readOptions(cmd *cli.Command) options {
	return options{
		Rounds: cmd.Int("rounds"), Duration: cmd.Duration("duration"),
		Clients: cmd.IntSlice("clients"), Scale: cmd.Float("scale"),
		Only: cmd.StringSlice("only"), Subjects: cmd.StringSlice("subjects"),
		Growth: cmd.Bool("growth"), Durable: cmd.Bool("durable"),
		Check: cmd.Bool("check"), JSON: cmd.String("json"),
	}
}
