package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/store"
	"agora/internal/tracing"
)

// tracesGrace is how long the last traces may take to be sent, after shutdownGrace.
const tracesGrace = 500 * time.Millisecond

// addTraces adds the flags of traces. Their variables are those of OpenTelemetry.
func (s *serveFlags) addTraces(cmd *cobra.Command, getenv func(string) string) {
	f := cmd.Flags()
	f.StringVar(&s.Traces, "traces", getenv("OTEL_EXPORTER_OTLP_ENDPOINT"),
		"`URL` of a collector of OpenTelemetry, such as http://localhost:4318, to send traces to by OTLP over HTTP; "+
			"none by default (env OTEL_EXPORTER_OTLP_ENDPOINT)")
	f.Lookup("traces").DefValue = "" // as that of redis-url
	f.StringVar(&s.tracesSample, "traces-sample", cmp.Or(getenv("OTEL_TRACES_SAMPLER_ARG"), "1"),
		"share of traces to send, `0 to 1` (env OTEL_TRACES_SAMPLER_ARG)")
}

// readTraces reads the flags of addTraces.
func (s *serveFlags) readTraces(c *config) (err error) {
	if c.TracesSample, err = strconv.ParseFloat(s.tracesSample, 64); err != nil || !tracing.IsSample(c.TracesSample) {
		return errors.New("--traces-sample must be a number from 0 to 1, such as 0.01")
	}
	if err := tracing.CheckEndpoint(c.Traces); c.Traces != "" && err != nil {
		return fmt.Errorf("--traces: %w", err)
	}
	return nil
}

// trace begins to send traces, if that is configured, and adds those of tasks to the options of the store. end sends
// the last ones.
func (p *program) trace(ctx context.Context, c config) (t *tracing.Tracer, end func(), err error) {
	if c.Traces == "" {
		return nil, func() {}, nil
	}
	v, err := p.version()
	if err != nil {
		return nil, nil, err
	}
	t, err = tracing.New(ctx, tracing.Options{Endpoint: c.Traces, Sample: c.TracesSample, Version: v, Log: p.log})
	if err != nil {
		return nil, nil, err
	}
	p.hooks.Storing = append(slices.Clip(p.hooks.Storing), store.WithPasses(
		func(work string) (roundTrip func(string, int) func(error), end func(error)) {
			if s := t.Task(work); s != nil {
				return s.RoundTrip, s.Done
			}
			return nil, nil
		}))
	return t, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tracesGrace)
		defer cancel()
		if err := t.Close(ctx); err != nil {
			p.log.Warn("the last traces could not be sent", "error", err)
		}
	}, nil
}
