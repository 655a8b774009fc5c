package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"
)

// watchOptions is what `watch` shows.
type watchOptions struct {
	// URL is the server's address; /graphql may be left out.
	URL string
	// Token signs in; "" watches as somebody unknown.
	Token string
	// Topic is the ID or number of the only topic to show; "" shows all.
	Topic string
}

func watchCommand(a actions, getenv func(string) string) *cli.Command {
	url := getenv("AGORA_URL")
	if url == "" {
		url = "http://localhost:8080"
	}
	return &cli.Command{
		Name: "watch", Usage: "show replies to the topics of a running server as they come",
		Description: "One line for each reply: time, topic, author, text; on a terminal as wide as that. It connects again " +
			"when it was cut, shows what it missed, and ends with Ctrl-C.\n\n" +
			"Example: in one terminal the demo, in another what its bot and others reply on one topic:\n\n" +
			"   agora\n   agora watch --topic 131853",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "url", Usage: "where the server is (env AGORA_URL)", Value: url},
			&cli.StringFlag{
				Name: "token",
				Usage: "sign in with what register or login has answered; better given by env AGORA_TOKEN, which other users of " +
					"the machine do not see",
			},
			&cli.StringFlag{Name: "topic", Usage: "show one topic only, by its id or number; all if left out"},
		},
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.Args().Present() {
				return fmt.Errorf("watch takes flags only, such as --topic %s; --help lists them", cmd.Args().First())
			}
			w := watchOptions{URL: cmd.String("url"), Token: cmd.String("token"), Topic: cmd.String("topic")}
			if w.Token == "" {
				w.Token = getenv("AGORA_TOKEN")
			}
			return a.watch(ctx, w)
		},
	}
}
