package cli

import (
	"fmt"

	"github.com/spf13/cobra"
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

func watchCommand(a actions, getenv func(string) string) *cobra.Command {
	url := getenv("AGORA_URL")
	if url == "" {
		url = "http://localhost:8080"
	}
	var o watchOptions
	cmd := &cobra.Command{
		Use:     "watch",
		Short:   "show replies to the topics of a running server as they come",
		GroupID: otherGroup,
		Long: "One line for each reply: time, topic, author, text; on a terminal as wide as that. It connects again " +
			"when it was cut, shows what it missed, and ends with Ctrl-C.\n\n" +
			"Example: in one terminal the demo, in another what its bot and others reply on one topic:\n\n" +
			"   agora\n   agora watch --topic 131853",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("watch takes flags only, such as --topic %s; --help lists them", args[0])
			}
			if o.Token == "" {
				o.Token = getenv("AGORA_TOKEN")
			}
			return a.watch(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.URL, "url", url, "where the server is (env AGORA_URL)")
	f.StringVar(&o.Token, "token", "",
		"sign in with what register or login has answered; better given by env AGORA_TOKEN, which other users of "+
			"the machine do not see")
	f.StringVar(&o.Topic, "topic", "", "show one topic only, by its id or number; all if left out")
	return cmd
}
