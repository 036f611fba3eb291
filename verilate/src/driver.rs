//! Writes the C++ between a Verilated module and `congruent::Dut`, from the port table.

use crate::header::{VerilogPort, cpp_name};
use crate::map::PortMap;
use congruent_ports::{Layout, Port, PortDir, Ready};
use std::fmt::Write as _;

/// What a driver is written from.
pub(crate) struct Driver<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) map: &'a PortMap,
    /// Name of Verilator's class.
    pub(crate) prefix: &'a str,
    /// Name of the function that makes one: `make_<name>`.
    pub(crate) name: &'a str,
}

impl Driver<'_> {
    /// Where the module's ports are not what the table says, one line each.
    pub(crate) fn differences(&self, ports: &[VerilogPort]) -> Vec<String> {
        let mut problems = Vec::new();
        let mut need = |role: &str, name: &str, dir: PortDir, width: u32| {
            let wanted = format!("{role}: {} `{name}` of {width} bits", dir_name(Some(dir)));
            let Some(port) = ports.iter().find(|p| p.name == name) else {
                problems.push(format!("{wanted} is missing"));
                return;
            };
            if port.dir != Some(dir) || port.width != width || port.array {
                let array = if port.array { " (an unpacked array)" } else { "" };
                let dir = dir_name(port.dir);
                problems.push(format!("{wanted} is an {dir} of {} bits{array}", port.width));
            }
        };
        need("clock", &self.map.clock, PortDir::In, 1);
        need("reset", &self.map.reset, PortDir::In, 1);
        for port in self.layout.ports() {
            need(&port.name, self.map.name(&port.name), port.dir, port.width);
        }
        for name in self.map.ties.keys() {
            if !ports.iter().any(|p| p.name == *name && p.dir == Some(PortDir::In) && p.width <= 64)
            {
                problems.push(format!("tied input `{name}` is missing"));
            }
        }
        let driven = |name: &str| {
            name == self.map.clock
                || name == self.map.reset
                || self.map.ties.contains_key(name)
                || self.layout.ports().any(|p| self.map.name(&p.name) == name)
        };
        for port in ports.iter().filter(|p| p.dir != Some(PortDir::Out) && !driven(&p.name)) {
            problems.push(format!("nothing drives {} `{}`", dir_name(port.dir), port.name));
        }
        problems
    }

    /// The text of the driver.
    pub(crate) fn text(&self) -> String {
        let Self { layout, map, prefix, name } = self;
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
        let (asserted, released) = if map.reset_active_low { (0, 1) } else { (1, 0) };
        let clock = cpp_name(&map.clock);
        let reset = cpp_name(&map.reset);
        let mut ties = String::new();
        for (port, value) in &map.ties {
            let _ = writeln!(ties, "    top_->{} = {value}ULL;", cpp_name(port));
        }
        let configure = self.assignments("top_->", "cfg", &layout.cfg, "    ");
        let inputs = self.assignments("top.", "inputs", &layout.inputs, "      ");
        let mut bare = String::new();
        for (word, port) in layout.inputs.iter().enumerate() {
            let pin = cpp_name(map.name(&port.name));
            let _ = writeln!(bare, "        top.{pin} = inputs[{word}];");
        }
        let mut outputs = String::new();
        for (word, port) in layout.outputs.iter().enumerate() {
            let pin = cpp_name(map.name(&port.name));
            let _ = writeln!(outputs, "      outputs[{word}] = top.{pin};");
        }
        format!(
            r#"// Driver of block {block}, {params}: written from the port table, not to be edited.
#include "dut.h"
#include "{prefix}.h"
#include "{prefix}___024root.h"
#include "verilated.h"

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
    try {{
      top_ = std::make_unique<{prefix}>(context_.get());
    }} catch (const Fatal&) {{
      return;
    }}
    top_->{clock} = 0;
    top_->{reset} = {asserted};
{ties}  }}

  // A model that failed may be in the middle of anything: it is left alone, not destroyed.
  ~Driver() override {{
    if (sink_.status != Status::kRunning) top_.release();
  }}

  void configure(const uint64_t* cfg) override {{
    if (sink_.status != Status::kRunning) return;
{configure}  }}

  void drive_reset(bool asserted) override {{
    if (sink_.status != Status::kRunning) return;
    top_->{reset} = asserted ? {asserted} : {released};
  }}

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
      top.{clock} = 0;
{inputs}      model.eval();
{outputs}      copied = true;
      top.{clock} = 1;
      model.eval();
      context_->timeInc(1);
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
        top.{clock} = 0;
{bare}        model.eval();
        top.{clock} = 1;
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

 private:
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<{prefix}> top_;
}};

}}  // namespace

std::unique_ptr<Dut> make_{name}(const Start& start) {{ return std::make_unique<Driver>(start); }}

}}  // namespace congruent
"#,
            block = layout.block.name,
            params = params.join(", "),
            cfg_words = layout.cfg.len(),
            input_words = layout.inputs.len(),
            output_words = layout.outputs.len(),
            handshake_count = handshakes.len(),
        )
    }

    // Upper bits of a narrow pin are not masked by Verilator.
    fn assignments(&self, top: &str, slice: &str, ports: &[Port], indent: &str) -> String {
        let mut text = String::new();
        for (word, port) in ports.iter().enumerate() {
            let pin = cpp_name(self.map.name(&port.name));
            let mask = match port.width {
                64.. => String::new(),
                width => format!(" & 0x{:x}ULL", (1_u64 << width) - 1),
            };
            let _ = writeln!(text, "{indent}{top}{pin} = {slice}[{word}]{mask};");
        }
        text
    }
}

fn dir_name(dir: Option<PortDir>) -> &'static str {
    match dir {
        Some(PortDir::In) => "input",
        Some(PortDir::Out) => "output",
        None => "inout",
    }
}
