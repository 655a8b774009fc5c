package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// helpWidth is how many columns the help has at most.
const helpWidth = 100

// printHelp prints what a command does, the commands beneath it, and its flags. It is no
// template of cobra's: with one the linker would keep text/template, and for that every
// exported method of the program.
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

// commandsIn lists the commands of a group beneath a command.
func commandsIn(cmd *cobra.Command, group string) string {
	var b strings.Builder
	for _, c := range cmd.Commands() {
		if c.GroupID == group && !c.Hidden {
			fmt.Fprintf(&b, "%-*s  %s\n", c.NamePadding(), c.Name(), c.Short)
		}
	}
	return b.String()
}

// wrap indents a text and breaks lines that are wider than helpWidth. What is broken off goes on
// beneath the last of the line's columns, which two or more spaces part, else at the indent.
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

// helpCommand is `help`, which does what --help does.
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

// noCommand is the error that there is no such command beneath another.
func noCommand(beneath *cobra.Command, name string) error {
	return fmt.Errorf("there is no command %q; %s --help lists them", name, beneath.CommandPath())
}

// flagError tells where the flags are listed, or that it is the command that is not there.
func flagError(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		return noCommand(cmd, cmd.Flags().Arg(0))
	}
	return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
}
