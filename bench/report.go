package main

import (
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"time"
)

// Report has all measurements.
type Report struct {
	Machine Machine
	Scale   float64
	// Users, Topics and Comments are the numbers at the beginning.
	Users, Topics, Comments int
	Rounds                  int
	Seconds                 float64 // of each measurement
	Results                 []*Result
	Goroutines              []Goroutines
	Growth                  []*Result `json:",omitempty"` // of two forums: Document names them
	Compared                int       // number of answers compared between the subjects
	Goals                   []Goal
	Took                    float64 // total, in seconds
}

// Machine describes where it was measured.
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
	// Requests is their number, P50 and P99 are latencies in ms.
	Requests, P50, P99 float64
	// Throughput is requests per second.
	Throughput float64
	// CPU is that of the server, RedisCPU that of Redis, in µs per request.
	CPU, RedisCPU float64
	// Mallocs and Bytes are the server's allocations per request.
	Mallocs, Bytes float64
	// RoundTrips and Commands are those to Redis per request.
	RoundTrips, Commands float64
	// Resident is the resident memory of the server's process in bytes, after the requests; 0 if it is not known.
	Resident float64
	// Votes is how many votes a second were cast meanwhile.
	Votes float64
}

// Result is the measurements of one subject with one document and number of clients.
type Result struct {
	Document, Subject string
	Clients           int
	Rounds            []Sample
	// Median is the median of each figure.
	Median Sample
}

// Goroutines are the goroutines of one request.
type Goroutines struct {
	Document, Subject string
	// Peak is the most at a time, above those at rest; Started how many were started.
	Peak    int
	Started float64
}

// figures returns pointers to all figures of a sample.
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
	func(s *Sample) *float64 { return &s.Resident },
	func(s *Sample) *float64 { return &s.Votes },
}

// summarize computes the medians.
func (r *Result) summarize() {
	for _, figure := range figures {
		var all []float64
		for i := range r.Rounds {
			all = append(all, *figure(&r.Rounds[i]))
		}
		*figure(&r.Median) = median(all)
	}
}

// find returns one result's medians, or nil if it was not measured.
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

// clients returns the numbers of clients, in the order in which they were measured.
func (r *Report) clients() []int {
	var all []int
	for _, x := range r.Results {
		if !slices.Contains(all, x.Clients) {
			all = append(all, x.Clients)
		}
	}
	return all
}
