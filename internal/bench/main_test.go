package bench

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"agora/internal/bench/subject"
)

// TestMain also is the process that serves a subject, as the command
// `agora bench serve` is, and that of those who listen to events.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		if err := serve(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "listen" {
		if err := listen(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serve(args []string) error {
	o := subject.Options{}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.StringVar(&o.Name, "subject", "", "")
	flags.StringVar(&o.RedisURL, "redis", "", "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return subject.Serve(context.Background(), o, os.Stdin, os.Stdout)
}
