package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
)

// actions are the functions that the commands call once their flags are read.
type actions struct {
	serve       func(ctx context.Context, c config) error
	init        func(ctx context.Context, c config, o initOptions) error
	check       func(ctx context.Context, c config, o checkOptions) error
	doctor      func(ctx context.Context, c config, o doctorOptions) error
	backup      func(ctx context.Context, c config, o backupOptions) error
	restore     func(ctx context.Context, c config, o restoreOptions) error
	createUser  func(ctx context.Context, c config, u newUser) error
	setPassword func(ctx context.Context, c config, login string, generate bool) error
	setRole     func(ctx context.Context, c config, login string, role forum.Role) error
	importFiles func(ctx context.Context, c config, o importOptions) error
	log         func(ctx context.Context, c config, o logOptions) error
	export      func(ctx context.Context, c config, file string) error
	migrate     func(ctx context.Context, c config, dryRun bool) error
	printSchema func(w io.Writer) error
	lintSchema  func(w io.Writer, file string) error
	diffSchemas func(w io.Writer, before, after string) error
	health      func(ctx context.Context, server string) error
	version     func(w io.Writer) error
}

// execute runs a command line, whose first argument is the program. It reads the environment through getenv.
func execute(
	ctx context.Context,
	args []string,
	a actions,
	getenv func(string) string,
	stdout, stderr io.Writer,
) error {
	root := rootCommand(a, getenv)
	root.SetArgs(args[1:])
	root.SetOut(stdout)
	root.SetErr(stderr)
	var unknown error // the command whose help was requested
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
			unknown = noCommand(cmd, cmd.Flags().Arg(0))
			return
		}
		printHelp(cmd)
	})
	if err := root.ExecuteContext(ctx); err != nil {
		return err
	}
	return unknown
}

// The groups in which --help lists the commands.
const (
	siteGroup  = "site"
	otherGroup = "other"
)

func rootCommand(a actions, getenv func(string) string) *cobra.Command {
	bounds := "Limits that --limit sets, by name:\n\n" + limit.Help()
	root := &cobra.Command{
		Use:   "agora [flags] [COMMAND]",
		Short: "one GraphQL API for a forum, a voting site and a social network, on Redis",
		Long: "The default command is serve. Without --data or REDIS_URL it keeps its data inside the process, " +
			"starts with demo data, and loses everything when it stops.\n\n" + bounds,
		Args:          cobra.ArbitraryArgs, // refused with our own message
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	serve := &cobra.Command{
		Use:     "serve",
		Short:   "serve GraphQL at /graphql and the playground at /playground (the default)",
		Long:    bounds,
		GroupID: siteGroup,
	}
	serves(root, a, getenv)
	serves(serve, a, getenv)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: siteGroup, Title: "COMMANDS FOR A SITE"},
		&cobra.Group{ID: otherGroup, Title: "OTHER COMMANDS"},
	)
	root.SetCompletionCommandGroupID(otherGroup)
	root.SetHelpCommand(helpCommand())
	root.AddCommand(
		serve,
		initCommand(a, getenv),
		checkCommand(a, getenv),
		doctorCommand(a, getenv),
		backupCommand(a, getenv),
		restoreCommand(a, getenv),
		userCommand(a, getenv),
		importCommand(a, getenv),
		exportCommand(a, getenv),
		migrateCommand(a, getenv),
		logCommand(a, getenv),
		configCommand(getenv),
		healthCommand(a, getenv),
		schemaCommand(a),
		versionCommand(a),
	)
	for _, cmd := range append(root.Commands(), root) {
		refuseRepeated(cmd.Flags())
		for _, of := range cmd.Commands() {
			refuseRepeated(of.Flags())
		}
	}
	return root
}

// serves makes a command serve.
func serves(cmd *cobra.Command, a actions, getenv func(string) string) {
	var flags serveFlags
	flags.add(cmd, getenv)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noCommand(cmd.Root(), args[0])
		}
		c, err := flags.configured(cmd, getenv)
		if err != nil {
			return err
		}
		if flags.printConfig {
			return printConfig(cmd.OutOrStdout(), cmd.Flags(), c)
		}
		return a.serve(cmd.Context(), c)
	}
	cmd.Flags().BoolVar(&flags.printConfig, "print-config", false, "print the configuration, with passwords masked, and end")
}

// holds makes a command a mere group of other commands.
func holds(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return noCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	cmd.DisableFlagsInUseLine = true
	cmd.AddCommand(commands...)
	return cmd
}
