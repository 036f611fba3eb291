//! Expressions of a map: which bits of a module a port of the table is.
//!
//! ```text
//! cnp_i                     a port
//! cnp_i.qp[11:0]            members of structs, bits, elements of packed and unpacked arrays
//! {rate_hi, rate_lo}        the first is the highest
//! !busy_o  ~mask_o          every bit inverted
//! 1  4'b0101  8'hff         constants
//! ```

use congruent_verilate::{End, Module, Pin, Range, Shape, Type};
use num_bigint::BigUint;
use num_traits::{Num, ToPrimitive};

/// What was written, its names not yet looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A port, and what is picked of it.
    Signal {
        /// The port.
        port: String,
        /// Members, bits, elements, in the order in which they are picked.
        picks: Vec<Pick>,
    },
    /// Every bit the opposite.
    Not(Box<Expression>),
    /// The first is the highest.
    Concat(Vec<Expression>),
    /// A number.
    Constant(Literal),
}

/// What is picked of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// A member of a struct.
    Member(String),
    /// A bit or an element.
    Index(i64),
    /// Bits or elements from one to another, both included.
    Slice(i64, i64),
}

/// A number with its width, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// Its bits.
    pub value: BigUint,
    /// How many there are; without a width, as many as are needed.
    pub width: Option<u32>,
    /// Whether every bit is a one: `'1`.
    pub ones: bool,
}

/// Some bits of a module, one chunk after the other, the lowest first.
pub type Chunks = Vec<Chunk>;

/// Bits that lie together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// How many.
    pub count: u32,
    /// Where they are.
    pub end: End,
    /// Whether they are a signed number as a whole.
    pub signed: bool,
}

/// How many bits chunks have.
pub fn width(chunks: &[Chunk]) -> u64 {
    chunks.iter().map(|chunk| u64::from(chunk.count)).sum()
}

/// Reads an expression.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &str) -> Result<Expression, String> {
    let mut reader = Reader { text, at: 0 };
    let found = reader.expression()?;
    reader.blanks();
    match reader.rest() {
        "" => Ok(found),
        rest => Err(format!("`{rest}` has no place after it")),
    }
}

/// Reads a number, alone.
///
/// # Errors
/// It is none.
pub fn literal(text: &str) -> Result<Literal, String> {
    match parse(text.trim())? {
        Expression::Constant(literal) => Ok(literal),
        _ => Err("accepted is a number, as 5, 4'b0101, 128'hff or '1".to_string()),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Whether the next thing is this one; it is read if so.
    fn takes(&mut self, c: char) -> bool {
        self.blanks();
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn needs(&mut self, c: char) -> Result<(), String> {
        match self.takes(c) {
            true => Ok(()),
            false if self.rest().is_empty() => Err(format!("`{c}` is missing at its end")),
            false => Err(format!("`{c}` is expected before `{}`", self.rest())),
        }
    }

    fn while_(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn expression(&mut self) -> Result<Expression, String> {
        if self.takes('!') || self.takes('~') {
            return Ok(Expression::Not(Box::new(self.expression()?)));
        }
        if self.takes('(') {
            let inner = self.expression()?;
            self.needs(')')?;
            return Ok(inner);
        }
        if self.takes('{') {
            let mut parts = vec![self.expression()?];
            while self.takes(',') {
                parts.push(self.expression()?);
            }
            self.needs('}')?;
            return Ok(Expression::Concat(parts));
        }
        match self.rest().chars().next() {
            None => Err("it is empty".to_string()),
            Some(c) if c.is_ascii_digit() || c == '\'' => self.constant(),
            Some(_) => self.signal(),
        }
    }

    fn constant(&mut self) -> Result<Expression, String> {
        let digits = self.while_(|c| c.is_ascii_digit() || c == '_').replace('_', "");
        let bad = |why: String| format!("{why}; accepted is a number as 5, 4'b0101, 8'hff or '1");
        if !self.takes('\'') {
            let value = digits.parse().map_err(|_| bad(format!("`{digits}` is no number")))?;
            return Ok(Expression::Constant(Literal { value, width: None, ones: false }));
        }
        let _ = self.takes('s') || self.takes('S');
        let base = self.while_(|c| c.is_ascii_alphabetic() && "bodhBODH".contains(c));
        // With a hexadecimal base its first digits may have been taken for it.
        let (base, back) = base.split_at(base.len().min(1));
        self.at -= back.len();
        let value = self.while_(|c| c.is_ascii_alphanumeric() || c == '_').replace('_', "");
        if digits.is_empty() && base.is_empty() && (value == "0" || value == "1") {
            let ones = value == "1";
            let value = BigUint::from(u8::from(ones));
            return Ok(Expression::Constant(Literal { value, width: None, ones }));
        }
        let radix = match base {
            "b" | "B" => 2,
            "o" | "O" => 8,
            "d" | "D" => 10,
            "h" | "H" => 16,
            _ => return Err(bad(format!("`{}` has no base", self.text.trim()))),
        };
        let value = BigUint::from_str_radix(&value, radix)
            .map_err(|_| bad(format!("`{value}` has no digits of base {radix}")))?;
        let width = match digits.is_empty() {
            true => None,
            false => Some(digits.parse().map_err(|_| bad(format!("{digits} bits")))?),
        };
        if let Some(width) = width
            && value.bits() > u64::from(width)
        {
            return Err(format!("{value} does not fit in {width} bits"));
        }
        Ok(Expression::Constant(Literal { value, width, ones: false }))
    }

    fn signal(&mut self) -> Result<Expression, String> {
        let port = self.name()?;
        let mut picks = vec![];
        loop {
            if self.takes('.') {
                picks.push(Pick::Member(self.name()?));
            } else if self.takes('[') {
                let first = self.index()?;
                let pick = if self.takes(':') {
                    Pick::Slice(first, self.index()?)
                } else if self.takes('+') {
                    self.needs(':')?;
                    let count = self.index()?;
                    if count < 1 {
                        return Err(format!("`+: {count}` picks nothing"));
                    }
                    Pick::Slice(first + count - 1, first)
                } else {
                    Pick::Index(first)
                };
                self.needs(']')?;
                picks.push(pick);
            } else {
                return Ok(Expression::Signal { port, picks });
            }
        }
    }

    fn name(&mut self) -> Result<String, String> {
        self.blanks();
        if self.rest().starts_with('\\') {
            self.at += 1;
            return match self.while_(|c| !c.is_whitespace()) {
                "" => Err("`\\` begins a name, and none follows".to_string()),
                name => Ok(name.to_string()),
            };
        }
        let starts_well = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !self.rest().starts_with(starts_well) {
            return Err(match self.rest() {
                "" => "a name is missing at its end".to_string(),
                rest => format!("a name is expected, and `{rest}` is no name"),
            });
        }
        Ok(self.while_(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$').to_string())
    }

    fn index(&mut self) -> Result<i64, String> {
        let minus = self.takes('-');
        self.blanks();
        let digits = self.while_(|c| c.is_ascii_digit());
        match digits.parse::<i64>() {
            Ok(number) => Ok(if minus { -number } else { number }),
            Err(_) => Err(format!("an index is expected before `{}`", self.rest())),
        }
    }
}

/// Looks up an expression in a module. A number without a width gets `unsized_width` bits, if that
/// is known.
///
/// # Errors
/// A name that there is not, an index out of range, a number without a width.
pub fn resolve(
    expression: &Expression,
    module: &Module,
    unsized_width: Option<u32>,
) -> Result<Chunks, String> {
    match expression {
        Expression::Signal { port, picks } => Ok(vec![signal(port, picks, module)?]),
        Expression::Not(inner) => {
            let mut chunks = resolve(inner, module, unsized_width)?;
            for chunk in &mut chunks {
                chunk.end = match &chunk.end {
                    End::Pin { pin, inverted } => {
                        End::Pin { pin: pin.clone(), inverted: !inverted }
                    }
                    End::Constant(value) => End::Constant(!value & ones(chunk.count)),
                };
            }
            Ok(chunks)
        }
        Expression::Concat(parts) => {
            let mut all = vec![];
            for part in parts.iter().rev() {
                all.extend(resolve(part, module, None)?);
            }
            Ok(all)
        }
        Expression::Constant(literal) => constant(literal, unsized_width),
    }
}

fn constant(literal: &Literal, unsized_width: Option<u32>) -> Result<Chunks, String> {
    let Some(count) = literal.width.or(unsized_width) else {
        return Err(format!(
            "the number {} has no width; accepted is one with a width, as 4'd{}",
            literal.value, literal.value
        ));
    };
    if literal.ones {
        return Ok(vec![Chunk { count, end: End::Constant(ones(count)), signed: false }]);
    }
    match literal.value.to_u64() {
        Some(value) if count <= 64 && value <= ones(count) => {
            Ok(vec![Chunk { count, end: End::Constant(value), signed: false }])
        }
        _ => Err(format!("the number {} does not fit in {} bits", literal.value, count.min(64))),
    }
}

fn signal(port: &str, picks: &[Pick], module: &Module) -> Result<Chunk, String> {
    let Some(found) = module.port(port) else {
        let names = module.ports.iter().map(|p| p.name.as_str());
        return Err(format!(
            "module `{}` has no port `{port}`{}",
            module.name,
            super::perhaps(port, names)
        ));
    };
    let mut element = vec![];
    let mut picks = picks.iter();
    let mut said = port.to_string();
    for range in &found.ty.unpacked {
        let Some(Pick::Index(index)) = picks.next() else {
            return Err(format!(
                "`{said}` is an unpacked array {range}; accepted is one of its elements, as \
                 {said}[{}]",
                range.right
            ));
        };
        let low = range.left.min(range.right);
        if range.position(*index).is_none() {
            return Err(outside(&said, *index, *range));
        }
        element.push(u32::try_from(index - low).unwrap_or(u32::MAX));
        said += &format!("[{index}]");
    }
    let (lsb, count, signed) = packed(&found.ty, picks.as_slice(), &mut said)?;
    let pin = Pin { port: port.to_string(), element, width: found.ty.width, lsb };
    Ok(Chunk { count, end: End::Pin { pin, inverted: false }, signed })
}

/// Lowest bit, width and sign of what is picked of a packed type.
fn packed(ty: &Type, picks: &[Pick], said: &mut String) -> Result<(u32, u32, bool), String> {
    let mut ty = ty;
    let mut lsb = 0;
    for (n, pick) in picks.iter().enumerate() {
        match pick {
            Pick::Member(name) => {
                let Some(member) = ty.member(name) else {
                    return Err(no_member(ty, said, name));
                };
                lsb += member.lsb;
                ty = &member.ty;
                *said += &format!(".{name}");
            }
            Pick::Index(index) => {
                let range = range_of(ty, said)?;
                let position =
                    range.position(*index).ok_or_else(|| outside(said, *index, range))?;
                lsb += position * ty.step();
                *said += &format!("[{index}]");
                match &ty.shape {
                    Shape::Packed { element, .. } => ty = element,
                    _ if n + 1 == picks.len() => return Ok((lsb, 1, false)),
                    _ => return Err(format!("`{said}` is one bit: nothing can be picked of it")),
                }
            }
            Pick::Slice(left, right) => {
                let range = range_of(ty, said)?;
                let position =
                    |index: i64| range.position(index).ok_or_else(|| outside(said, index, range));
                let (high, low) = (position(*left)?, position(*right)?);
                if high < low {
                    return Err(format!(
                        "`{said}[{left}:{right}]` runs against {range}, the range of `{said}`; \
                         accepted is {said}[{right}:{left}]"
                    ));
                }
                *said += &format!("[{left}:{right}]");
                if n + 1 != picks.len() {
                    return Err(format!("nothing can be picked of `{said}`, which is a slice"));
                }
                return Ok((lsb + low * ty.step(), (high - low + 1) * ty.step(), false));
            }
        }
    }
    Ok((lsb, ty.width, ty.signed))
}

fn range_of(ty: &Type, said: &str) -> Result<Range, String> {
    ty.range().ok_or_else(|| format!("`{said}` is one bit: nothing can be picked of it"))
}

fn outside(said: &str, index: i64, range: Range) -> String {
    format!("`{said}[{index}]` is outside of {range}, the range of `{said}`")
}

fn no_member(ty: &Type, said: &str, name: &str) -> String {
    match &ty.shape {
        Shape::Struct { members, .. } | Shape::Union { members, .. } => {
            let names: Vec<&str> = members.iter().map(|m| m.name.as_str()).collect();
            format!("`{said}` has no member `{name}`; it has {}", names.join(", "))
        }
        _ => format!("`{said}` has no member `{name}`: it is no struct"),
    }
}

/// So many ones.
pub fn ones(count: u32) -> u64 {
    match count {
        64.. => u64::MAX,
        count => (1 << count) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use congruent_ports::PortDir;
    use congruent_verilate::{Member, Place, PortDecl};

    fn bits(left: i64, right: i64) -> Type {
        let range = Range { left, right };
        Type {
            unpacked: vec![],
            width: range.len(),
            signed: false,
            shape: Shape::Bits(Some(range)),
        }
    }

    fn one() -> Type {
        Type { unpacked: vec![], width: 1, signed: false, shape: Shape::Bits(None) }
    }

    /// `struct packed { logic valid; logic [11:4] qp; struct packed {logic a; logic b} [0:1] pair }`.
    fn beat() -> Type {
        let pair = Type {
            unpacked: vec![],
            width: 2,
            signed: false,
            shape: Shape::Struct {
                name: String::new(),
                members: vec![
                    Member { name: "a".into(), lsb: 1, ty: one() },
                    Member { name: "b".into(), lsb: 0, ty: one() },
                ],
            },
        };
        let pairs = Type {
            unpacked: vec![],
            width: 4,
            signed: false,
            shape: Shape::Packed { range: Range { left: 0, right: 1 }, element: Box::new(pair) },
        };
        Type {
            unpacked: vec![],
            width: 13,
            signed: false,
            shape: Shape::Struct {
                name: "p::beat_t".into(),
                members: vec![
                    Member { name: "valid".into(), lsb: 12, ty: one() },
                    Member { name: "qp".into(), lsb: 4, ty: bits(11, 4) },
                    Member { name: "pair".into(), lsb: 0, ty: pairs },
                ],
            },
        }
    }

    fn module() -> Module {
        let place = || Place { file: "m.sv".into(), line: 1 };
        let port = |name: &str, ty: Type| PortDecl {
            name: name.into(),
            dir: PortDir::In,
            ty,
            place: place(),
        };
        let lanes = Type {
            unpacked: vec![Range { left: 2, right: 5 }, Range { left: 1, right: 0 }],
            ..bits(7, 0)
        };
        Module {
            name: "m".into(),
            place: place(),
            ports: vec![
                port("beat", beat()),
                port("lane", lanes),
                port("up", bits(0, 7)),
                port("wide", bits(599, 0)),
                port("a+b", one()),
            ],
            params: vec![],
            edges: vec![],
        }
    }

    fn found(text: &str) -> Result<Vec<(u32, u32, String)>, String> {
        let chunks = resolve(&parse(text)?, &module(), Some(3))?;
        let show = |chunk: &Chunk| match &chunk.end {
            End::Constant(value) => (*value as u32, chunk.count, "=".to_string()),
            End::Pin { pin, inverted } => {
                let not = if *inverted { "!" } else { "" };
                let elements: Vec<_> = pin.element.iter().map(ToString::to_string).collect();
                (pin.lsb, chunk.count, format!("{not}{}{}", pin.port, elements.join("")))
            }
        };
        Ok(chunks.iter().map(show).collect())
    }

    fn one_of(text: &str) -> (u32, u32, String) {
        let all = found(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(all.len(), 1, "{text}");
        all[0].clone()
    }

    #[test]
    fn signals_are_picked_as_systemverilog_picks_them() {
        let beat = || "beat".to_string();
        assert_eq!(one_of("beat"), (0, 13, beat()));
        assert_eq!(one_of("beat.valid"), (12, 1, beat()));
        assert_eq!(one_of("beat.qp"), (4, 8, beat()));
        // [11:4] of a member at bit 4: bit 11 of it is bit 11 of the whole.
        assert_eq!(one_of("beat.qp[11:8]"), (8, 4, beat()));
        assert_eq!(one_of("beat.qp[4 +: 2]"), (4, 2, beat()));
        // [0:1]: element 1 is the lowest.
        assert_eq!(one_of("beat.pair[1].a"), (1, 1, beat()));
        assert_eq!(one_of("beat.pair[0]"), (2, 2, beat()));
        assert_eq!(one_of("beat[12]"), (12, 1, beat()));
        assert_eq!(one_of("up[0]"), (7, 1, "up".into()));
        assert_eq!(one_of("up[2:4]"), (3, 3, "up".into()));
        // Elements are counted from the lowest index.
        assert_eq!(one_of("lane[2][1]"), (0, 8, "lane01".into()));
        assert_eq!(one_of("lane[5][0][7:4]"), (4, 4, "lane30".into()));
        assert_eq!(one_of("wide[512 +: 64]"), (512, 64, "wide".into()));
        assert_eq!(one_of(" ! \\a+b "), (0, 1, "!a+b".into()));
    }

    #[test]
    fn the_first_of_a_concatenation_is_the_highest() {
        assert_eq!(
            found("{!up[0], 4'b1010, ~{beat.valid}}"),
            Ok(vec![
                (12, 1, "!beat".to_string()),
                (10, 4, "=".to_string()),
                (7, 1, "!up".to_string())
            ])
        );
        assert_eq!(found("5"), Ok(vec![(5, 3, "=".to_string())]));
        assert_eq!(found("'1"), Ok(vec![(7, 3, "=".to_string())]));
        assert_eq!(found("!8'hF0"), Ok(vec![(15, 8, "=".to_string())]));
        assert_eq!(found("12'hb_0b"), Ok(vec![(0xb0b, 12, "=".to_string())]));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, why) in [
            ("", "it is empty"),
            ("beat.", "a name is missing at its end"),
            ("bead", "no port `bead`; perhaps `beat`"),
            ("beat.vald", "no member `vald`; it has valid, qp, pair"),
            ("up.x", "`up` has no member `x`: it is no struct"),
            ("beat.qp[3]", "`beat.qp[3]` is outside of [11:4]"),
            ("up[4:2]", "runs against [0:7], the range of `up`; accepted is up[2:4]"),
            (
                "lane",
                "`lane` is an unpacked array [2:5]; accepted is one of its elements, as lane[5]",
            ),
            ("lane[3]", "`lane[3]` is an unpacked array [1:0]"),
            ("lane[6][0]", "`lane[6]` is outside of [2:5]"),
            ("beat.valid[0]", "`beat.valid` is one bit"),
            ("up[1:2][1]", "nothing can be picked of `up[1:2]`"),
            ("{beat.valid, 1}", "the number 1 has no width"),
            ("{up", "`}` is missing at its end"),
            ("up]", "`]` has no place after it"),
            ("4'b2", "`2` has no digits of base 2"),
            ("2'd4", "4 does not fit in 2 bits"),
            ("9", "does not fit in 3 bits"),
            ("up[x]", "an index is expected before `x]`"),
        ] {
            let error = found(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
