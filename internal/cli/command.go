package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
)

// actions are what the commands do once their flags are read.
type actions struct {
	serve       func(ctx context.Context, c config) error
	init        func(ctx context.Context, c config, o initOptions) error
	check       func(ctx context.Context, c config, o checkOptions) error
	createUser  func(ctx context.Context, c config, u newUser) error
	setPassword func(ctx context.Context, c config, login string, generate bool) error
	setRole     func(ctx context.Context, c config, login string, role forum.Role) error
	importFiles func(ctx context.Context, c config, o importOptions) error
	printSchema func(w io.Writer) error
	lintSchema  func(w io.Writer, file string) error
	watch       func(ctx context.Context, o watchOptions) error
}

// newCommand returns the command line. It asks getenv for the environment.
func newCommand(a actions, getenv func(string) string, stdout, stderr io.Writer) *cli.Command {
	serve := func(ctx context.Context, cmd *cli.Command) error {
		if cmd.Args().Present() {
			return fmt.Errorf("there is no command %q; --help lists them", cmd.Args().First())
		}
		c, err := readServe(cmd)
		if err != nil {
			return err
		}
		return a.serve(ctx, c)
	}
	return &cli.Command{
		Name: "agora", Usage: "one GraphQL API for a forum, a voting site and a social network, on Redis",
		Description: "Without a command it serves. Without --data or REDIS_URL it keeps its data inside the process, " +
			"fills it with demo data and forgets all at the end.\n\n" +
			"Bounds that --limit sets, by name:\n\n" + limit.Help(),
		Writer: stdout, ErrWriter: stderr, HideVersion: true,
		Flags: local(serveFlags(getenv)), Action: serve,
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		Commands: []*cli.Command{
			{
				Name: "serve", Usage: "serve GraphQL at /graphql and the playground at / (the default)",
				Flags: serveFlags(getenv), Action: serve,
			},
			initCommand(a, storeFlags(getenv)),
			checkCommand(a, storeFlags(getenv)),
			userCommand(a, getenv),
			importCommand(a, storeFlags(getenv)),
			watchCommand(a, getenv),
			schemaCommand(a, stdout),
		},
	}
}

// local keeps the flags of the program out of the commands below it, which have their own.
func local(flags []cli.Flag) []cli.Flag {
	for _, f := range flags {
		switch f := f.(type) {
		case *cli.StringFlag:
			f.Local = true
		case *cli.StringSliceFlag:
			f.Local = true
		case *cli.BoolFlag:
			f.Local = true
		default:
			panic(fmt.Sprintf("flag %v has a type that local does not know", f.Names()))
		}
	}
	return flags
}
