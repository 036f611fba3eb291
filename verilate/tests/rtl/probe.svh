// Included by probe.sv, so that tests can change an include.
`define PROBE_OFFSET 1
