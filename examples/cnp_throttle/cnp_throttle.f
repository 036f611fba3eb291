// Paths are relative to this folder.
ct_pkg.sv
cnp_throttle.sv
