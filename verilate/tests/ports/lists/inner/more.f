${CARGO_MANIFEST_DIR}/tests/ports/unpacked_1d.sv
