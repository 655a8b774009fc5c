package process

import (
	"encoding/json"
	"math/rand/v2"
)

const (
	opReport  = `mutation($i: ReportInput!) { r: report(input: $i) { errors { code } } }`
	opResolve = `mutation($i: ResolveReportsInput!) { r: resolveReports(input: $i) { changed errors { code } } }`
	opQueue   = `query($s: ReportState!, $after: String) { r: reportQueue(state: $s, first: 50, after: $after) {
		nodes { subjectId state throughReport reports(first: 100) { nodes { reporter { login } } } }
		pageInfo { endCursor hasNextPage } } }`
)

// seenQueue is a page of the queue.
type seenQueue struct {
	Nodes []struct {
		SubjectID     string
		State         string
		ThroughReport int
		Reports       struct {
			Nodes []struct{ Reporter struct{ Login string } }
		}
	}
	PageInfo struct {
		EndCursor   string
		HasNextPage bool
	}
}

// reportTopic reports one of the newest topics. Others may have deleted it, or the client may have reported too much.
func (c *killClient) reportTopic() {
	w := c.run
	w.mu.Lock()
	if len(w.topics) == 0 {
		w.mu.Unlock()
		return
	}
	p := w.topics[len(w.topics)-1-rand.IntN(min(recent, len(w.topics)))]
	w.mu.Unlock()
	_, f, code := w.mutate(c.patience(), c.token, opReport, map[string]any{"subjectId": p.id, "reason": "SPAM"})
	w.count("report", f)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case f == acknowledged:
		w.reports[[2]string{p.id, c.login}] = true
	case f == refused && code != "SELF" && code != "RATE_LIMITED" && !(code == "NOT_FOUND" && p.mayBeDeleted()):
		w.wrong("report %s: refused: %s", p.marker, code)
	}
}

// resolveOne resolves the reports on some of what was reported last, as a moderator.
func (w *killRun) resolveOne() {
	var page seenQueue
	if a, err := w.ask(patient, w.moderator, opQueue, map[string]any{"s": "OPEN"}); err != nil ||
		json.Unmarshal(a.Data.R, &page) != nil || len(page.Nodes) == 0 {
		return
	}
	of := page.Nodes[rand.IntN(len(page.Nodes))]
	_, f, code := w.mutate(patient, w.moderator, opResolve, map[string]any{"subjectId": of.SubjectID,
		"throughReport": of.ThroughReport, "outcome": []string{"UPHELD", "DISMISSED"}[rand.IntN(2)]})
	w.count("resolveReports", f)
	if f == refused {
		w.wrong("resolveReports %s: refused: %s", of.SubjectID, code)
	}
}

// verifyReports checks that the queue has each acknowledged report, in a case of the list's state.
func (w *killRun) verifyReports() {
	seen := map[[2]string]bool{}
	listed := map[string]bool{}
	for _, state := range []string{"OPEN", "UPHELD", "DISMISSED"} {
		for after := any(nil); ; {
			page := readAs[seenQueue](w, w.moderator, opQueue, map[string]any{"s": state, "after": after})
			for _, of := range page.Nodes {
				if of.State != state || listed[of.SubjectID] {
					w.site.t.Errorf("the queue has %s as %s, in the list %s, and twice: %t", of.SubjectID, of.State, state,
						listed[of.SubjectID])
				}
				listed[of.SubjectID] = true
				for _, r := range of.Reports.Nodes {
					seen[[2]string{of.SubjectID, r.Reporter.Login}] = true
				}
			}
			if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
				break
			}
		}
	}
	for r := range w.reports {
		if !seen[r] {
			w.gone("the report of %s by %s is lost; it was acknowledged", r[0], r[1])
		}
	}
}
