package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/forum"
	"agora/internal/store/acts"
)

// logOptions are the options of `log`.
type logOptions struct {
	// Count is how many of the latest acts are printed at first.
	Count int
	// Follow goes on with new ones until the command is stopped.
	Follow bool
	// JSON prints each act as a line of JSON.
	JSON bool
}

const (
	// mostLogged is the largest number of acts that the command prints at first.
	mostLogged = 10_000
	// followEvery is how often it looks for new ones, among the latest lookBack: one may be listed a little late.
	followEvery = 500 * time.Millisecond
	lookBack    = 200
)

func logCommand(a actions, getenv func(string) string) *cobra.Command {
	var o logOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "log",
		Short:   "print the moderation log, the latest acts of moderators last",
		GroupID: siteGroup,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 || o.Count < 0 || o.Count > mostLogged {
				return fmt.Errorf("log takes no arguments, and -n from 0 to %d", mostLogged)
			}
			c, err := data.readKept("log")
			if err != nil {
				return err
			}
			return a.log(cmd.Context(), c, o)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.Count, "number", "n", 20, "print the latest `N` acts")
	f.BoolVarP(&o.Follow, "follow", "f", false, "go on with new acts until the command is stopped")
	f.BoolVar(&o.JSON, "json", false, "print each act as a line of JSON")
	data.add(cmd, getenv)
	return cmd
}

// printLog prints the moderation log, and follows it until ctx is done.
func (p program) printLog(ctx context.Context, c config, o logOptions) error {
	if c.RedisTimeout == 0 {
		c.RedisTimeout = commandTimeout
	}
	conn, s, err := p.openReadOnly(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	// What is beyond the first count is not new either.
	acts, err := s.Acts.LatestActs(ctx, max(o.Count, lookBack))
	printed := map[forum.ActID]bool{}
	for i, a := range acts {
		if printed[a.ID] = true; i >= len(acts)-o.Count {
			p.printAct(a, o.JSON)
		}
	}
	for err == nil && o.Follow {
		if pause(ctx, followEvery) != nil {
			return nil
		}
		if acts, err = s.Acts.LatestActs(ctx, lookBack); ctx.Err() != nil {
			return nil
		}
		for _, a := range acts {
			if !printed[a.ID] {
				printed[a.ID] = true
				p.printAct(a, o.JSON)
			}
		}
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// printAct prints an act on one line.
func (p program) printAct(a acts.LoggedAct, asJSON bool) {
	if !asJSON {
		fmt.Fprintln(p.stdout, lineOf(a))
		return
	}
	line, err := json.Marshal(struct {
		ID         forum.ActID   `json:"id"`
		At         time.Time     `json:"at"`
		Moderator  string        `json:"moderator,omitempty"`
		Action     forum.ActKind `json:"action"`
		Subject    string        `json:"subject"`
		About      string        `json:"about,omitempty"`
		Member     string        `json:"member,omitempty"`
		Reason     forum.Reason  `json:"reason"`
		Detail     string        `json:"detail,omitempty"`
		Note       string        `json:"note,omitempty"`
		Reverses   forum.ActID   `json:"reverses,omitempty"`
		ReversedBy forum.ActID   `json:"reversedBy,omitempty"`
	}{a.ID, timeOf(a), a.Moderator, a.Kind, subjectOf(a), a.About, a.Affected, a.Reason, a.Detail, a.Note, a.Reverses,
		a.ReversedBy})
	if err == nil {
		fmt.Fprintln(p.stdout, string(line))
	}
}

func timeOf(a acts.LoggedAct) time.Time { return time.UnixMilli(int64(a.CreatedAt)).UTC() }

// subjectOf names what an act is about.
func subjectOf(a acts.LoggedAct) string {
	switch s := a.Subject; {
	case s.Comment != 0:
		return fmt.Sprintf("comment %d", s.Comment)
	case s.Topic != 0:
		return fmt.Sprintf("topic %d", s.Topic)
	case s.Category != 0:
		return fmt.Sprintf("category %d", s.Category)
	case s.Tab != 0:
		return fmt.Sprintf("tab %d", s.Tab)
	case s.Site:
		return "the site"
	default:
		return fmt.Sprintf("user %d", s.User)
	}
}

// lineOf returns an act as people read it: when, who, what, on what, of whom, why.
func lineOf(a acts.LoggedAct) string {
	who := a.Moderator
	switch {
	case a.By == 0:
		who = "(command line)"
	case who == "":
		who = fmt.Sprintf("(user %d)", a.By)
	}
	parts := []string{timeOf(a).Format(time.RFC3339), who, string(a.Kind)}
	if a.Subject.User == 0 {
		parts = append(parts, subjectOf(a))
		if a.About != "" {
			parts = append(parts, fmt.Sprintf("%q", oneLine(a.About)))
		}
		if a.Member != 0 {
			parts = append(parts, "of")
		}
	}
	if a.Affected != "" {
		parts = append(parts, a.Affected)
	} else if a.Member != 0 {
		parts = append(parts, fmt.Sprintf("(user %d)", a.Member))
	}
	if detail := detailOf(a.Act); detail != "" {
		parts = append(parts, detail)
	}
	parts = append(parts, "for", string(a.Reason))
	if a.Note != "" {
		parts = append(parts, fmt.Sprintf("%q", oneLine(a.Note)))
	}
	return strings.Join(parts, " ")
}

// detailOf returns what else there is to say of an act.
func detailOf(a *forum.Act) string {
	switch a.Kind {
	case forum.ActBan:
		until := "for good"
		if a.Until() != 0 {
			until = "until " + time.UnixMilli(int64(a.Until())).UTC().Format(time.RFC3339)
		}
		return fmt.Sprintf("from %s %s", strings.TrimSpace(strings.SplitN(a.Detail, " ", 2)[0]), until)
	case forum.ActMove:
		return fmt.Sprintf("from category %d to %d", a.From(), a.To())
	case forum.ActSetRole:
		return strings.Replace(oneLine(a.Detail), " ", " to ", 1)
	case forum.ActHidePosts, forum.ActRestorePosts:
		posts := "1 post"
		if n := a.PostCount(); n != nil && *n != 1 {
			posts = fmt.Sprintf("%d posts", *n)
		}
		if a.Since() != 0 {
			posts += " since " + time.UnixMilli(int64(a.Since())).UTC().Format(time.RFC3339)
		}
		return posts
	case forum.ActSetStaff:
		if *a.IsModerator() {
			return fmt.Sprintf("now of category %d", a.Category())
		}
		return fmt.Sprintf("no longer of category %d", a.Category())
	}
	return strings.TrimSpace(oneLine(strings.ReplaceAll(a.Detail, "\n", " ")))
}
