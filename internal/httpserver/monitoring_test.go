package httpserver

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"agora/internal/httpserver/live"
	"agora/internal/test/must"
)

// These tests compare the dashboard and the alerts in deploy with what a server exposes. They read expressions with a
// few regular expressions: the parser of Prometheus is in the module of its server, which would determine the versions
// of modules that the program uses.

// family is what a server exposes under one name: its type, and the values of each label.
type family struct {
	kind   string
	labels map[string][]string
}

var (
	typeLine  = regexp.MustCompile(`(?m)^# TYPE (\w+) (\w+)$`)
	seriesOf  = regexp.MustCompile(`(?m)^(\w+)(?:\{(.*)\})? \S+$`)
	labelTest = regexp.MustCompile(`(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"`)
	grouping  = regexp.MustCompile(`\bby\s*\(([^)]*)\)`)
	selector  = regexp.MustCompile(`(rate\()?\b([a-zA-Z_]\w*)(?:\{([^}]*)\})?(\[[^\]]*\])?(\s*\()?`)
	labelUse  = regexp.MustCompile(`\$labels\.(\w+)|\{\{(\w+)\}\}`)
)

// families reads the text of /metrics. Prometheus itself adds the metric up, and two labels to all series.
func families(text string) map[string]family {
	all := map[string]family{"up": {"gauge", map[string][]string{"job": nil, "instance": nil}}}
	kinds := map[string]string{}
	for _, m := range typeLine.FindAllStringSubmatch(text, -1) {
		kinds[m[1]] = m[2]
	}
	for _, m := range seriesOf.FindAllStringSubmatch(text, -1) {
		f, found := all[m[1]]
		if !found {
			f = family{kinds[m[1]], map[string][]string{"job": nil, "instance": nil}}
			if f.kind == "" {
				f.kind = "histogram" // _bucket, _sum or _count
			}
			all[m[1]] = f
		}
		for _, l := range labelTest.FindAllStringSubmatch(m[2], -1) {
			f.labels[l[1]] = append(f.labels[l[1]], l[3])
		}
	}
	return all
}

// trafficked returns what a server exposes after a query, a mutation and a socket, and a look at its Redis.
func trafficked(t *testing.T) map[string]family {
	t.Helper()
	w := newLiveWire(t, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		o.Metrics = NewMetrics(o.Resolver.Store, o.Log, time.Now)
	})
	w.do("POST", "/graphql", bodyOf("{ site { name } }"), isJSON)
	w.do("POST", "/graphql", bodyOf("mutation { logout { query { site { name } } } }"), isJSON)
	c := w.connect()
	c.send("xyzzy")
	c.wantClosed(4400)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	must.OK(t, w.live.Shutdown(ctx))
	lookOnce(t, w.store)
	return families(w.do("GET", "/metrics", "").Body.String())
}

// faults returns what is wrong with an expression and with the text that shows its result.
func faults(all map[string]family, expr, shown string) []string {
	var wrong []string
	if strings.Count(expr, "(") != strings.Count(expr, ")") {
		wrong = append(wrong, "has unequal brackets")
	}
	by, metrics := []string{}, 0
	for _, m := range grouping.FindAllStringSubmatch(expr, -1) {
		by = append(by, strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")...)
	}
	for _, m := range labelUse.FindAllStringSubmatch(shown, -1) {
		if label := m[1] + m[2]; label != "instance" && !slices.Contains(by, label) {
			wrong = append(wrong, "shows the label "+label+", which its result lacks")
		}
	}
	for _, m := range selector.FindAllStringSubmatch(grouping.ReplaceAllString(expr, " "), -1) {
		rated, name, tests, span, called := m[1] != "", m[2], m[3], m[4] != "", m[5] != ""
		switch {
		case called && slices.Contains([]string{"sum", "max", "rate", "absent", "histogram_quantile"}, name):
			continue
		case slices.Contains([]string{"and", "or", "unless"}, name):
			continue
		}
		metrics++
		f, found := all[name]
		if !found || called {
			wrong = append(wrong, "uses "+name+", which no server exposes")
			continue
		}
		if counts := f.kind == "counter" || f.kind == "histogram"; rated != counts || span != counts {
			wrong = append(wrong, "uses the "+f.kind+" "+name+" in another way than as rate(counter[time]) or gauge")
		}
		if quantile := strings.Contains(expr, "histogram_quantile("); strings.HasSuffix(name, "_bucket") &&
			(!quantile || !slices.Contains(by, "le")) {
			wrong = append(wrong, "uses "+name+" without histogram_quantile by le")
		}
		wrong = append(wrong, labelFaults(f, name, tests, by)...)
	}
	if metrics == 0 {
		wrong = append(wrong, "has no metric")
	}
	return wrong
}

// labelFaults returns which labels of a selector and a grouping the metric lacks, and which values they never have.
func labelFaults(f family, name, tests string, by []string) []string {
	var wrong []string
	for _, label := range by {
		if _, found := f.labels[label]; !found && label != "le" {
			wrong = append(wrong, "groups "+name+" by "+label+", which it lacks")
		}
	}
	for _, m := range labelTest.FindAllStringSubmatch(tests, -1) {
		values, found := f.labels[m[1]]
		if !found {
			wrong = append(wrong, "asks for the label "+m[1]+", which "+name+" lacks")
			continue
		}
		for value := range strings.SplitSeq(m[3], "|") {
			if m[1] != "job" && m[1] != "instance" && !slices.Contains(values, value) {
				wrong = append(wrong, "asks for "+m[1]+" "+value+", which "+name+" never has")
			}
		}
	}
	return wrong
}

// The test finds what is wrong with expressions.
func TestFaultsOfExpressions(t *testing.T) {
	all := families("# TYPE a_total counter\na_total{code=\"X\"} 1\n# TYPE g gauge\ng 1\n" +
		"# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\n")
	for _, tt := range []struct{ expr, shown, want string }{
		{`sum by (code) (rate(a_total{code=~"X",job="j"}[5m])) / 1e3 > 0.05`, "{{code}} {{ $labels.code }}", ""},
		{`histogram_quantile(0.9, sum by (le) (rate(h_bucket[5m]))) and g or up{job="j"} == 0`, "", ""},
		{`sum(rate(h_sum[5m])) > 0`, "", ""},
		{`sum(g`, "", "unequal brackets"},
		{`1 > 0`, "", "no metric"},
		{`b`, "", "uses b, which no server"},
		{`avg(g)`, "", "uses avg, which no server"},
		{`g{code="X"}`, "", "asks for the label code, which g lacks"},
		{`rate(a_total{code="Y"}[5m])`, "", "asks for code Y, which a_total never has"},
		{`rate(a_total{code!~"X|Y"}[5m])`, "", "asks for code Y, which a_total never has"},
		{`sum by (kind) (rate(a_total[5m]))`, "", "groups a_total by kind"},
		{`sum(rate(a_total[5m]))`, "{{code}}", "shows the label code"},
		{`a_total`, "", "the counter a_total in another way"},
		{`rate(g[5m])`, "", "the gauge g in another way"},
		{`rate(a_total)`, "", "the counter a_total in another way"},
		{`h`, "", "uses h, which no server"},
		{`sum(rate(h_bucket[5m]))`, "", "without histogram_quantile by le"},
		{`histogram_quantile(0.9, sum(rate(h_bucket[5m])))`, "", "without histogram_quantile by le"},
	} {
		got := strings.Join(faults(all, tt.expr, tt.shown), "; ")
		if !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("faults(%s, %q) = %q; want %q", tt.expr, tt.shown, got, tt.want)
		}
	}
}

// deployed reads a file of the folder deploy.
func deployed(t *testing.T, name string) []byte {
	t.Helper()
	return must.Do(os.ReadFile("../../deploy/" + name))(t)
}

// panel is a panel of a dashboard, with the keys that are tested.
type panel struct {
	Title      string
	GridPos    struct{ X, Y, W, H int }
	Datasource struct{ UID string }
	Targets    []struct{ Expr, LegendFormat string }

	FieldConfig struct{ Defaults struct{ Unit string } }
}

// overlaps reports whether two panels have a place in common.
func (p panel) overlaps(q panel) bool {
	a, b := p.GridPos, q.GridPos
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

// The dashboard shows only what servers expose, in panels with a title and a unit that do not overlap, and names no
// installation.
func TestDashboard(t *testing.T) {
	var d struct {
		UID        string
		ID         int
		Templating struct {
			List []struct{ Name, Definition string }
		}
		Panels []panel
	}
	must.OK(t, json.Unmarshal(deployed(t, "grafana-dashboard.json"), &d))
	if d.UID != "" || d.ID != 0 || len(d.Templating.List) != 2 || len(d.Panels) < 10 {
		t.Errorf("the dashboard has the ids %q and %d, %d variables and %d panels; want no ids, 2 variables, and panels",
			d.UID, d.ID, len(d.Templating.List), len(d.Panels))
	}
	all := trafficked(t)
	for _, v := range d.Templating.List {
		source, _, _ := strings.Cut(strings.TrimPrefix(v.Definition, "label_values("), ",")
		if _, found := all[source]; v.Name != "datasource" && (v.Name != "instance" || !found) {
			t.Errorf("the variable %s is made of %q, which no server exposes", v.Name, v.Definition)
		}
	}
	for i, p := range d.Panels {
		if p.Title == "" || p.FieldConfig.Defaults.Unit == "" || p.Datasource.UID != "${datasource}" || len(p.Targets) == 0 {
			t.Errorf("panel %d, %q, lacks a title, unit, variable data source or expression: %+v", i, p.Title, p)
		}
		if g := p.GridPos; g.X < 0 || g.W < 1 || g.X+g.W > 24 || g.Y < 0 || g.H < 1 {
			t.Errorf("%s is at %+v; want it within 24 columns", p.Title, g)
		}
		for _, q := range d.Panels[:i] {
			if p.overlaps(q) {
				t.Errorf("%s and %s overlap: %+v, %+v", p.Title, q.Title, p.GridPos, q.GridPos)
			}
		}
		for _, target := range p.Targets {
			for _, wrong := range faults(all, target.Expr, target.LegendFormat) {
				t.Errorf("%s: %s %s", p.Title, target.Expr, wrong)
			}
			if selected := strings.Count(target.Expr, `{instance=~"$instance"`); selected == 0 {
				t.Errorf("%s: %s is not of the chosen instances", p.Title, target.Expr)
			}
		}
	}
}

var (
	docLink = regexp.MustCompile(`docs/operating\.md#([\w-]+)\.$`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// Each alert asks for what servers expose, has a severity and a summary, and ends with the section of the documentation
// that says what to do.
func TestAlerts(t *testing.T) {
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	must.OK(t, yaml.UnmarshalWithOptions(deployed(t, "prometheus-alerts.yaml"), &file, yaml.Strict()))
	doc := must.Do(os.ReadFile("../../docs/operating.md"))(t)
	sections := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(string(doc), -1) {
		sections[strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")] = true
	}
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) == 0 {
		t.Fatalf("the file has %d groups; want one, with alerts", len(file.Groups))
	}
	all := trafficked(t)
	for _, r := range file.Groups[0].Rules {
		summary, description := r.Annotations["summary"], r.Annotations["description"]
		for _, wrong := range faults(all, r.Expr, summary+description) {
			t.Errorf("%s: %s %s", r.Alert, r.Expr, wrong)
		}
		if _, err := time.ParseDuration(r.For); err != nil || r.Alert == "" || summary == "" ||
			!slices.Contains([]string{"critical", "warning"}, r.Labels["severity"]) {
			t.Errorf("%s lasts %q and has the labels %v and summary %q", r.Alert, r.For, r.Labels, summary)
		}
		if m := docLink.FindStringSubmatch(description); m == nil || !sections[m[1]] {
			t.Errorf("%s ends with no section of docs/operating.md: %q", r.Alert, description)
		}
	}
}
