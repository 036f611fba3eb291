//! Writes the C++ between a Verilated module and `congruent::Dut`, from the port table.

use crate::map::{PortMap, Reset};
use crate::names::cpp_name;
use crate::wires::Wires;
use congruent_ports::{Layout, Ready};

/// What a driver is written from.
pub(crate) struct Driver<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) map: &'a PortMap,
    /// Name of Verilator's class.
    pub(crate) prefix: &'a str,
    /// Name of the function that makes one: `make_<name>`.
    pub(crate) name: &'a str,
    /// Whether the model can write what happens inside of it.
    pub(crate) trace: bool,
}

impl Driver<'_> {
    /// The text of the driver.
    pub(crate) fn text(&self) -> String {
        let Self { layout, map, prefix, name, trace } = self;
        let tracing = Tracing::of(*trace);
        let mut params: Vec<_> = layout.params.iter().map(|(n, v)| format!("{n} {v}")).collect();
        if params.is_empty() {
            params.push("no parameters".into());
        }
        let init_done = layout.outputs[layout.levels..].iter().position(|p| p.name == "init_done");
        let init_done = init_done.map_or("-1".into(), |i| (layout.levels + i).to_string());
        let handshakes: Vec<String> = layout
            .channels_in
            .iter()
            .filter_map(|c| {
                // Where there is a ready bit for each value of the first field, that field picks it.
                let each = matches!(c.channel.ready, Ready::Each(_));
                let by = if each { c.fields.to_string() } else { "-1".into() };
                Some(format!("{{{}, {}, {by}, {}}}", c.valid, c.ready?, c.ready_bits))
            })
            .collect();
        let handshake_text = match handshakes.len() {
            0 => "constexpr const Handshake* kHandshakes = nullptr;".to_string(),
            n => format!("constexpr Handshake kHandshakes[{n}] = {{{}}};", handshakes.join(", ")),
        };
        let clock = cpp_name(&map.clock.port);
        let (rest, edge) = if map.clock.falling { (1, 0) } else { (0, 1) };
        let (at_start, drive_reset) = reset_lines(map.reset.as_ref());
        let wires = Wires::new(layout, map);
        format!(
            r#"// Driver of block {block}, {params}: written from the port table, not to be edited.
#include "dut.h"
#include "{prefix}.h"
#include "{prefix}___024root.h"
#include "verilated.h"
{strings}{trace_include}
namespace congruent {{
namespace {{

{handshake_text}
constexpr Shape kShape{{{cfg_words}, {input_words}, {output_words}, {init_done}, kHandshakes, {handshake_count}}};

class Driver final : public Dut {{
 public:
  explicit Driver(const Start& start) : Dut(kShape) {{
    current = &sink_;
    context_->randReset(start.fill);
    // Seed 0 would mean one from the clock.
    context_->randSeed(static_cast<int>(start.seed % 0x7fffffff) + 1);
    if (start.argc > 0) context_->commandArgs(start.argc, start.argv);
{trace_on}    try {{
      top_ = std::make_unique<{prefix}>(context_.get());
    }} catch (const Fatal&) {{
      return;
    }}
    top_->{clock} = {rest};
{at_start}{once}  }}

  // A model that failed may be in the middle of anything: it is left alone, not destroyed.
  ~Driver() override {{
    if (sink_.status != Status::kRunning) top_.release();
  }}

  void configure(const uint64_t* cfg) override {{
    if (sink_.status != Status::kRunning) return;
{configure}  }}

  void drive_reset(bool asserted) override {{
    if (sink_.status != Status::kRunning) return;
{drive_reset}  }}

  Status step(const uint64_t* inputs, uint64_t* outputs) override {{
    if (sink_.status != Status::kRunning) {{
      sink_.row_complete = false;
      return sink_.status;
    }}
    current = &sink_;
    {prefix}& model = *top_;
    // The pins themselves: the model's own members are references to them.
    auto& top = *model.rootp;
    bool copied = false;
    try {{
      top.{clock} = {rest};
{inputs}      model.eval();
{outputs}      copied = true;
{trace_settled}      top.{clock} = {edge};
      model.eval();
{trace_edge}      context_->timeInc(1);
    }} catch (const Fatal&) {{
      sink_.row_complete = copied;
    }}
    return sink_.status;
  }}

  Status bare(const uint64_t* inputs, size_t rows) override {{
    if (sink_.status != Status::kRunning) return sink_.status;
    current = &sink_;
    {prefix}& model = *top_;
    auto& top = *model.rootp;
    try {{
      for (size_t row = 0; row < rows; ++row, inputs += {input_words}) {{
        top.{clock} = {rest};
{bare}        model.eval();
        top.{clock} = {edge};
        model.eval();
      }}
    }} catch (const Fatal&) {{
    }}
    return sink_.status;
  }}

  void finish() override {{
    if (sink_.status != Status::kRunning) return;
    current = &sink_;
    try {{
      top_->final();
    }} catch (const Fatal&) {{
    }}
  }}

{trace_method} private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<{prefix}> top_;
{trace_members}}};

}}  // namespace

std::unique_ptr<Dut> make_{name}(const Start& start) {{ return std::make_unique<Driver>(start); }}

}}  // namespace congruent
"#,
            block = layout.block.name,
            trace_include = tracing.include,
            trace_on = tracing.on,
            trace_settled = tracing.settled,
            trace_edge = tracing.edge,
            trace_method = tracing.method,
            trace_members = tracing.members,
            params = params.join(", "),
            cfg_words = layout.cfg.len(),
            input_words = layout.inputs.len(),
            output_words = layout.outputs.len(),
            handshake_count = handshakes.len(),
            once = wires.once(),
            strings = if wires.once().is_empty() { "" } else { "#include <cstring>\n" },
            configure = wires.configure(),
            inputs = wires.inputs(),
            outputs = wires.outputs(),
            bare = wires.bare(),
        )
    }
}

/// Lines that assert the reset when the model is made, and that drive it later.
fn reset_lines(reset: Option<&Reset>) -> (String, String) {
    let Some(reset) = reset else {
        return (String::new(), "    (void)asserted;\n".to_string());
    };
    let pin = cpp_name(&reset.port);
    let (asserted, released) = if reset.active_low { (0, 1) } else { (1, 0) };
    let mut drive = format!("    top_->{pin} = asserted ? {asserted} : {released};\n");
    if reset.asynchronous {
        // At once, while the clock stands still: a register that waits for the clock shows.
        drive += "    current = &sink_;\n    try {\n      top_->eval();\n    } catch (const Fatal&) {\n    }\n";
    }
    (format!("    top_->{pin} = {asserted};\n"), drive)
}

/// The parts of a driver that write a VCD; all empty for a model that cannot.
#[derive(Default)]
struct Tracing {
    include: &'static str,
    on: &'static str,
    settled: &'static str,
    edge: &'static str,
    method: &'static str,
    members: &'static str,
}

impl Tracing {
    fn of(traced: bool) -> Self {
        if !traced {
            return Self::default();
        }
        Self {
            include: "#include \"verilated_vcd_c.h\"\n",
            on: "    context_->traceEverOn(true);\n",
            settled: "      if (vcd_ != nullptr) vcd_->dump(10 * traced_);\n",
            edge: "      if (vcd_ != nullptr) {\n        \
                     vcd_->dump(10 * traced_++ + 5);\n        \
                     vcd_->flush();\n      }\n",
            // A fresh one for each file: the times of one never go back.
            method: "  bool trace(const char* path) override {\n    \
                       if (vcd_ != nullptr) vcd_->close();\n    \
                       vcd_.reset();\n    \
                       if (path == nullptr) return true;\n    \
                       if (sink_.status != Status::kRunning) return false;\n    \
                       auto vcd = std::make_unique<VerilatedVcdC>();\n    \
                       top_->trace(vcd.get(), 99);\n    \
                       vcd->set_time_unit(\"1ns\");\n    \
                       vcd->set_time_resolution(\"1ns\");\n    \
                       vcd->open(path);\n    \
                       if (!vcd->isOpen()) return false;\n    \
                       vcd_ = std::move(vcd);\n    \
                       traced_ = 0;\n    \
                       return true;\n  }\n\n",
            members: "  std::unique_ptr<VerilatedVcdC> vcd_;\n  uint64_t traced_ = 0;\n",
        }
    }
}
