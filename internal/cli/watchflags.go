package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// watchOptions are the options of `watch`.
type watchOptions struct {
	// URL is the server's address; /graphql may be omitted.
	URL string
	// Token signs in; "" watches anonymously.
	Token string
	// Topic is the id or number of the only topic to show; "" shows all.
	Topic string
}

func watchCommand(a actions, getenv func(string) string) *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:     "watch",
		Short:   "show replies to the topics of a running server as they arrive",
		GroupID: otherGroup,
		Long: "One line for each reply: time, topic, author, text, cut to the width of a terminal. It reconnects " +
			"after a disconnect, shows what it missed, and ends with Ctrl-C.\n\n" +
			"Example: the demo in one terminal, and in another the replies of its bot and others to one topic:\n\n" +
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
	f.StringVar(&o.URL, "url", serverURL(getenv), "URL of the server (env AGORA_URL)")
	f.StringVar(&o.Token, "token", "",
		"sign in with the token that register or login returned; better set by env AGORA_TOKEN, which other users of "+
			"the machine cannot see")
	f.StringVar(&o.Topic, "topic", "", "show only one topic, by its id or number; all by default")
	return cmd
}
