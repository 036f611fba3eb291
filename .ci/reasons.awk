# Every dependency in a Cargo.toml has its reason in a comment on its line.
#   awk -f .ci/reasons.awk Cargo.toml */Cargo.toml

/^\[/ { inside = /dependencies\]$/ }

/^\[.*dependencies\./ {
  printf "%s:%d: a dependency as a table of its own: write it on one line, with its reason\n", FILENAME, FNR
  bad = 1
}

inside && /^[A-Za-z0-9_-]+ *=/ && !/ # [^ ]/ {
  printf "%s:%d: no reason for `%s`: add `# why it is here` to the line\n", FILENAME, FNR, $1
  bad = 1
}

END { exit bad }
