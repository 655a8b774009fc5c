// Package logbook has a log for tests.
package logbook

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
)

// Log is a log that a test reads while it is written.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns the whole log.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Count returns how often the log contains some words.
func (l *Log) Count(words string) int { return strings.Count(l.String(), words) }

// Logger returns a logger that writes the log.
func (l *Log) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }
