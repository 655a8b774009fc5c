package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is the maximum width of the help, in columns.
const helpWidth = 100

// printHelp prints the description of a command, its subcommands and its flags. It does not use cobra's templates:
// with them the linker would keep text/template, and therefore every exported method of the program.
func printHelp(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Lookup("help").Usage = "show this help"
	var b strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s:\n%s\n", title, wrap(text))
		}
	}
	section("NAME", cmd.CommandPath()+" - "+cmd.Short)
	section("USAGE", cmd.UseLine())
	section("DESCRIPTION", cmd.Long)
	for _, g := range slices.Concat(cmd.Groups(), []*cobra.Group{{Title: "COMMANDS"}}) {
		section(g.Title, commandsIn(cmd, g.ID))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%sFLAGS:\n%s", b.String(), flags.FlagUsagesWrapped(helpWidth))
}

// commandsIn lists the subcommands of a group.
func commandsIn(cmd *cobra.Command, group string) string {
	var b strings.Builder
	for _, c := range cmd.Commands() {
		if c.GroupID == group && !c.Hidden {
			fmt.Fprintf(&b, "%-*s  %s\n", c.NamePadding(), c.Name(), c.Short)
		}
	}
	return b.String()
}

// wrap indents a text and breaks lines that are wider than helpWidth. Continuation lines start at the line's last
// column, where columns are separated by two or more spaces, otherwise at the indent.
func wrap(text string) string {
	const indent = "   "
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = strings.TrimRight(indent+line, " ")
		column := strings.LastIndex(line, "  ") + 2
		for len(line) > helpWidth {
			at := strings.LastIndex(line[:helpWidth+1], " ")
			if at <= column {
				break
			}
			b.WriteString(line[:at] + "\n")
			line = strings.Repeat(" ", column) + line[at+1:]
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// helpCommand is `help`, which does the same as --help.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "show the help of a command", GroupID: otherGroup,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(cmd.Root(), strings.Join(args, " "))
			}
			return found.Help()
		},
	}
}

// noCommand returns the error for an unknown subcommand.
func noCommand(beneath *cobra.Command, name string) error {
	return fmt.Errorf("unknown command %q; %s --help lists the commands", name, beneath.CommandPath())
}

// flagError adds where the flags are listed, or reports an unknown command instead.
func flagError(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		return noCommand(cmd, cmd.Flags().Arg(0))
	}
	return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
}
