package version

import "testing"

func TestVersionOfChangelog(t *testing.T) {
	const head, changes = "# Changelog\n\nWords.\n\n## [Unreleased]\n\n", "### Added\n\n- A thing.\n\n"
	const first, second = "## [0.1.0] - 2026-11-26\n\n- All.\n", "## [1.12.3] - 2027-01-02\n\n- More.\n\n"
	tests := []struct{ name, changelog, newest, unreleased, current string }{
		{"nothing released", head + changes, "", "\n" + changes, "0.1.0-dev"},
		{"empty", "", "", "", "0.1.0-dev"},
		{"a release", head + first, "0.1.0", "\n", "0.1.0"},
		{"a release, without a heading for the next", "# Changelog\n\n" + first, "0.1.0", "", "0.1.0"},
		{"changes since a release", head + changes + first, "0.1.0", "\n" + changes, "0.2.0-dev"},
		{"two releases", head + second + first, "1.12.3", "\n", "1.12.3"},
		{"changes since two releases", head + changes + second + first, "1.12.3", "\n" + changes, "1.13.0-dev"},
	}
	for _, tt := range tests {
		l := Read(tt.changelog)
		if l.Newest != tt.newest || l.Unreleased != tt.unreleased || l.Current() != tt.current {
			t.Errorf("%s: the newest release is %q, the version %q, unreleased %q; want %q, %q, %q", tt.name,
				l.Newest, l.Current(), l.Unreleased, tt.newest, tt.current, tt.unreleased)
		}
	}
}
