package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

const (
	// healthTime is how long a server may take to answer: longer than it waits for its Redis.
	healthTime = 3 * time.Second
	// healthText is how much of an answer is shown, in bytes.
	healthText = 1 << 10
)

func healthCommand(a actions, getenv func(string) string) *cobra.Command {
	return &cobra.Command{
		Use:     "health [URL]",
		Short:   "ask a running server whether it is ready; exit code 1 if it is not",
		GroupID: otherGroup,
		Long: "For health checks of containers. URL is the address that serves /readyz: that of --ops-addr, if it is " +
			"set (env AGORA_URL, default " + defaultURL + ").",
		RunE: func(cmd *cobra.Command, args []string) error {
			server := serverURL(getenv)
			switch len(args) {
			case 0:
			case 1:
				server = args[0]
			default:
				return errors.New("health takes one URL; --help shows the form")
			}
			return a.health(cmd.Context(), server)
		},
	}
}

// defaultURL is the URL of a server with the default address.
const defaultURL = "http://localhost:8080"

// serverURL returns the URL of the server that health asks, unless it is given another one.
func serverURL(getenv func(string) string) string {
	if server := getenv("AGORA_URL"); server != "" {
		return server
	}
	return defaultURL
}

// health asks a server whether it is ready, and prints its answer. It returns an error if it is not.
func (p program) health(ctx context.Context, server string) error {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%.200q is not a server's address, such as %s", server, defaultURL)
	}
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("readyz").String(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, healthText))
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	text := oneLine(strings.TrimSpace(string(body)))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: status %d: %s", resp.StatusCode, text)
	}
	fmt.Fprintln(p.stdout, text)
	return nil
}
