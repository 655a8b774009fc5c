// Bench compares the server with its alternatives: a handler written by hand for the same documents with go-redis's
// own calls (limit), which the goals refer to, one with as few allocations as go-redis allows (tuned), the server
// itself on gqlgen's executor, the setup of common tutorials (usual), and, for replies, bare go-redis that sends the
// same commands. Each server is a process of its own; this one creates the data, sends requests, and reports.
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

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"agora/bench/subject"
)

const description = `Starts a redis-server of its own and a process for each subject, writes a forum of 2,000 users, 20,000 topics
and 200,000 comments, compares the answers of all subjects, and measures them in turns. Prints tables in Markdown.
With the defaults it takes about ten minutes, and needs an idle machine.

Subjects: limit, a handler written by hand for these documents with go-redis's own calls, which the goals refer to;
tuned, the same with as few allocations as go-redis allows; bare, one that knows only { __typename };
go-redis, the commands of a reply without a server; before, agora of an older commit (--before); agora;
cached, agora with its object cache; kept, tuned with that; gqlgen, agora on gqlgen's executor; usual, plain resolvers
and dataloaders that wait a millisecond.

CPU is that of the server's process and, separately, that of Redis. Allocations, memory and goroutines are the server's.
× refers to the first row of each number of clients.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand(os.Stdin, os.Stdout, os.Stderr).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// newCommand returns the command line.
func newCommand(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:               "bench",
		Short:             "measure the server against a handler written by hand, gqlgen's executor and the usual set-up",
		Long:              description,
		Args:              cobra.ArbitraryArgs, // refused with our own message
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("bench takes flags only; --help lists them")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			o.Command, o.Out = []string{self, "serve"}, stdout
			if file, ok := stderr.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
				o.Progress = stderr
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	addFlags(cmd, &o)
	cmd.AddCommand(serveCommand(stdin, stdout))
	return cmd
}

// serveCommand is started by the benchmark for each subject.
func serveCommand(stdin io.Reader, stdout io.Writer) *cobra.Command {
	var name, redis string
	cmd := &cobra.Command{
		Use:    "serve",
		Short:  "serve one subject until standard input ends",
		Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return subject.Serve(cmd.Context(), name, redis, stdin, stdout)
		},
	}
	cmd.Flags().StringVar(&name, "subject", "", "the subject")
	cmd.Flags().StringVar(&redis, "redis", "", "the URL of its Redis")
	cmd.MarkFlagRequired("subject")
	cmd.MarkFlagRequired("redis")
	return cmd
}

func addFlags(cmd *cobra.Command, o *options) {
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.Rounds, "rounds", 5, "how many times to measure everything; medians count")
	f.DurationVar(&o.Duration, "duration", time.Second, "how long to measure each time, after a fifth of it to warm up")
	f.IntSliceVar(&o.Clients, "clients", []int{1, 16, 64}, "numbers of concurrent clients")
	f.Float64Var(&o.Scale, "scale", 1, "size of the forum")
	f.StringSliceVar(&o.Only, "only", nil,
		"documents to measure: "+strings.Join(documentNames(), ", ")+"; all by default")
	f.StringSliceVar(&o.Subjects, "subjects", nil,
		"subjects to measure: "+strings.Join(subjectNames, ", ")+"; all by default")
	f.StringVar(&o.Before, "before", "",
		"also measure the server of `PROGRAM`, this benchmark built from an older commit")
	f.BoolVar(&o.Growth, "growth", true,
		"compare forums of 2,000 and 200,000 topics; --growth=false omits that")
	f.BoolVar(&o.Durable, "durable", false,
		"make Redis write to disk before it acknowledges; otherwise it writes nothing to disk")
	f.BoolVar(&o.Check, "check", false, "verify all data at the end, as the server's command check does")
	f.StringVar(&o.Profile, "profile", "",
		"write profiles of the CPU and allocations of agora and cached for each document to `DIR`, with the most clients")
	f.StringVar(&o.JSON, "json", "", "write all figures to `FILE`")
}
