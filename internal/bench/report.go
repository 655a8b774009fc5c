package main

import (
	"encoding/json"
	"os"
	"runtime"
	"time"
)

// Report is everything that was measured.
type Report struct {
	Machine Machine
	Scale   float64
	// Users, Topics and Comments are how many there were before anything was written.
	Users, Topics, Comments int
	Rounds                  int
	Seconds                 float64 // that each measurement took
	Results                 []*Result
	Goroutines              []Goroutines
	Growth                  []*Result `json:",omitempty"` // of two forums: Document tells which
	Compared                int       // answers of which the subjects' were compared
	Goals                   []Goal
	Took                    float64 // seconds in all
}

// Machine is where it was measured.
type Machine struct {
	Time       time.Time
	Go, Redis  string
	CPUs       int
	GOMAXPROCS int
	GOGC       string
	// Durable reports whether Redis wrote to disk before it acknowledged.
	Durable bool
}

func thisMachine(redis string, durable bool) Machine {
	gogc := os.Getenv("GOGC")
	if gogc == "" {
		gogc = "100"
	}
	return Machine{
		Time:       time.Now().UTC().Truncate(time.Second),
		Go:         runtime.Version(),
		Redis:      redis,
		CPUs:       runtime.NumCPU(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		GOGC:       gogc,
		Durable:    durable,
	}
}

// Sample is one measurement.
type Sample struct {
	// Requests is how many there were, P50 and P99 how long they took, in ms.
	Requests, P50, P99 float64
	// Throughput is requests a second.
	Throughput float64
	// CPU is that of the server, RedisCPU that of Redis, in µs a request.
	CPU, RedisCPU float64
	// Mallocs and Bytes are what the server allocated for a request.
	Mallocs, Bytes float64
	// RoundTrips and Commands are those to Redis for a request.
	RoundTrips, Commands float64
}

// Result is what was measured of one subject with one document and number of clients.
type Result struct {
	Document, Subject string
	Clients           int
	Rounds            []Sample
	// Median is the median of each figure.
	Median Sample
}

// Goroutines are those of one request.
type Goroutines struct {
	Document, Subject string
	// Peak is the most there were at once, above those at rest; Started how many
	// were started.
	Peak    int
	Started float64
}

// figures are all figures of a sample.
var figures = []func(*Sample) *float64{
	func(s *Sample) *float64 { return &s.Requests },
	func(s *Sample) *float64 { return &s.P50 },
	func(s *Sample) *float64 { return &s.P99 },
	func(s *Sample) *float64 { return &s.Throughput },
	func(s *Sample) *float64 { return &s.CPU },
	func(s *Sample) *float64 { return &s.RedisCPU },
	func(s *Sample) *float64 { return &s.Mallocs },
	func(s *Sample) *float64 { return &s.Bytes },
	func(s *Sample) *float64 { return &s.RoundTrips },
	func(s *Sample) *float64 { return &s.Commands },
}

// summarize finds the medians.
func (r *Result) summarize() {
	for _, figure := range figures {
		var all []float64
		for i := range r.Rounds {
			all = append(all, *figure(&r.Rounds[i]))
		}
		*figure(&r.Median) = median(all)
	}
}

// find gives one result's medians, or nil if it was not measured.
func find(results []*Result, document, subject string, clients int) *Sample {
	for _, r := range results {
		if r.Document == document && r.Subject == subject && r.Clients == clients {
			return &r.Median
		}
	}
	return nil
}

// writeJSON writes all figures to a file.
func (r *Report) writeJSON(name string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o644)
}
