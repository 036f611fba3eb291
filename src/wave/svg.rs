//! A picture of a waveform as SVG: an opaque sheet, readable on light and on dark pages.

use super::picture::{Cell, Lane, Picture, Shape, Value};
use super::record::Recording;
use svg::Document;
use svg::node::element::{Group, Line, Path, Polygon, Rectangle, Text, Title, path::Data};

/// Sizes in pixels. A letter of the monospaced font is at most so wide at size 1.
const LETTER: f64 = 0.62;
const FONT: f64 = 12.0;
const SMALL: f64 = 11.0;
const MARGIN: f64 = 16.0;
const LANE: f64 = 24.0;
/// From the top of a lane to that of its signal, and the height of that.
const INSET: f64 = 4.0;
const HEIGHT: f64 = 16.0;
/// Slope of an edge.
const EDGE: f64 = 3.0;
/// A column, at least and at most.
const NARROW: f64 = 36.0;
const BROAD: f64 = 60.0;
/// Letters of a signal's name at most.
const NAME_MOST: usize = 44;
/// Letters of a line of text at most.
const LINE_MOST: usize = 150;

const FAMILY: &str = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const PAPER: &str = "#ffffff";
const FRAME: &str = "#c8ccd0";
const GRID: &str = "#e6e8eb";
const INK: &str = "#1f2933";
const PALE: &str = "#6b7680";
const WAVE: &str = "#2463a8";
const FILL: &str = "#eef4fb";
const RED: &str = "#b3261e";
const RED_FILL: &str = "#fbdcd9";
const RED_BAND: &str = "#fdf0ef";

impl Recording {
    /// The text of an SVG file.
    pub fn svg(&self) -> String {
        draw(&Picture::of(self))
    }
}

fn draw(picture: &Picture) -> String {
    let sheet = Sheet::new(picture);
    let mut document = Document::new()
        .set("viewBox", (0, 0, sheet.width.ceil() as u64, sheet.height.ceil() as u64))
        .set("width", sheet.width.ceil())
        .set("height", sheet.height.ceil())
        .set("font-family", FAMILY)
        .set("font-size", FONT)
        .add(Title::new(picture.title.clone()))
        .add(
            Rectangle::new()
                .set("x", 0.5)
                .set("y", 0.5)
                .set("width", sheet.width.ceil() - 1.0)
                .set("height", sheet.height.ceil() - 1.0)
                .set("rx", 6)
                .set("fill", PAPER)
                .set("stroke", FRAME),
        );
    let mut y = MARGIN + FONT;
    let title = text(MARGIN, y, &picture.title, INK).set("font-weight", "bold");
    document = document.add(title);
    for line in &picture.lines {
        y += LANE * 0.75;
        document = document.add(text(MARGIN, y, &short(line, LINE_MOST), PALE));
    }
    document = document.add(sheet.columns());
    for (n, lane) in picture.lanes.iter().enumerate() {
        document = document.add(sheet.lane(n, lane));
    }
    let mut y = sheet.top + LANE * picture.lanes.len() as f64 + FONT + 6.0;
    for caption in &picture.captions {
        document = document.add(text(MARGIN, y, &short(caption, LINE_MOST), RED));
        y += LANE * 0.75;
    }
    format!("{document}\n")
}

/// Where things stand.
struct Sheet<'a> {
    picture: &'a Picture,
    /// Where columns begin, and how wide they are.
    left: f64,
    column: f64,
    /// Where lanes begin; the numbers of the cycles stand above.
    top: f64,
    width: f64,
    height: f64,
}

impl<'a> Sheet<'a> {
    fn new(picture: &'a Picture) -> Self {
        let names = picture.lanes.iter().map(|lane| letters(&lane.name).min(NAME_MOST));
        let left = MARGIN + names.max().unwrap_or(0) as f64 * LETTER * FONT + 12.0;
        let column = picture.lanes.iter().map(widest).fold(NARROW, f64::max).min(BROAD);
        let top = MARGIN + FONT + LANE * 0.75 * picture.lines.len() as f64 + LANE;
        let lines = picture.lines.iter().chain(&picture.captions).chain([&picture.title]);
        let longest = lines.map(|line| letters(line).min(LINE_MOST)).max().unwrap_or(0);
        let width = (left + column * picture.columns as f64)
            .max(MARGIN + longest as f64 * LETTER * FONT)
            + MARGIN;
        let height = top
            + LANE * picture.lanes.len() as f64
            + LANE * 0.75 * picture.captions.len() as f64
            + MARGIN;
        Self { picture, left, column, top, width, height }
    }

    fn x(&self, column: usize) -> f64 {
        self.left + self.column * column as f64
    }

    /// Numbers of the cycles, lines between them, and the marked one.
    fn columns(&self) -> Group {
        let mut group = Group::new().set("class", "cycles");
        let bottom = self.top + LANE * self.picture.lanes.len() as f64;
        if let Some(marked) = self.picture.marked {
            let band = Rectangle::new()
                .set("x", self.x(marked))
                .set("y", self.top - LANE + INSET)
                .set("width", self.column)
                .set("height", bottom - self.top + LANE - INSET)
                .set("fill", RED_BAND);
            group = group.add(band);
        }
        let digits = letters(&(self.picture.from + self.picture.columns as u64).to_string());
        // Where a number has no room in its column, every so many are left out.
        let every = (((digits + 1) as f64 * LETTER * SMALL) / self.column).ceil().max(1.0) as usize;
        for column in 0..=self.picture.columns {
            let x = self.x(column);
            let line = Line::new()
                .set("x1", x)
                .set("x2", x)
                .set("y1", self.top)
                .set("y2", bottom)
                .set("stroke", GRID);
            group = group.add(line);
            let marked = self.picture.marked == Some(column);
            let told = match self.picture.marked {
                Some(mark) => column.abs_diff(mark).is_multiple_of(every),
                None => column.is_multiple_of(every),
            };
            if column < self.picture.columns && told {
                let number = (self.picture.from + column as u64).to_string();
                let ink = if marked { RED } else { PALE };
                let number = text(x + self.column / 2.0, self.top - 6.0, &number, ink)
                    .set("text-anchor", "middle")
                    .set("font-size", SMALL);
                group = group.add(if marked { number.set("font-weight", "bold") } else { number });
            }
        }
        group.add(text(MARGIN, self.top - 6.0, "cycle", PALE).set("font-size", SMALL))
    }

    fn lane(&self, n: usize, lane: &Lane) -> Group {
        let y = self.top + LANE * n as f64 + INSET;
        let group = Group::new();
        let name = short(&lane.name, NAME_MOST);
        let wrong = match &lane.shape {
            Shape::Bit(cells) | Shape::Bus(cells) => cells.iter().any(|cell| cell.wrong),
            Shape::Heading | Shape::Clock => false,
        };
        let ink = match &lane.shape {
            Shape::Heading => PALE,
            _ if wrong => RED,
            _ => INK,
        };
        let label = text(MARGIN, y + HEIGHT - 4.0, &name, ink);
        match &lane.shape {
            Shape::Heading => group.add(label.set("font-style", "italic")),
            Shape::Clock => group.add(label).add(self.clock(y)),
            Shape::Bit(cells) => self.bits(group.add(label), y, cells),
            Shape::Bus(cells) => self.bus(group.add(label), y, cells),
        }
    }

    /// Low, then high: the rising edge in the middle of a column is the one that samples it.
    fn clock(&self, y: f64) -> Path {
        let mut data = Data::new().move_to((self.left, y + HEIGHT));
        for column in 0..self.picture.columns {
            let (x, half) = (self.x(column), self.column / 2.0);
            data = data
                .line_to((x + half, y + HEIGHT))
                .line_to((x + half, y))
                .line_to((x + self.column, y))
                .line_to((x + self.column, y + HEIGHT));
        }
        stroke(data, WAVE)
    }

    fn bits(&self, mut group: Group, y: f64, cells: &[Cell]) -> Group {
        let level = |value: &Value| match value {
            Value::Low => Some(y + HEIGHT),
            Value::High => Some(y),
            Value::Text(_) | Value::Idle | Value::Unknown => None,
        };
        let mut before = None;
        for (run, value, wrong) in runs(cells) {
            let (x0, x1) = (self.x(run.start), self.x(run.end));
            let at = level(value);
            if wrong {
                group = group.add(self.red_box(x0, x1, y));
            }
            let ink = if wrong { RED } else { WAVE };
            let mut data = Data::new();
            data = match (before.flatten(), at) {
                (Some(before), Some(at)) if before != at => {
                    data.move_to((x0, before)).line_to((x0, at)).line_to((x1, at))
                }
                (_, Some(at)) => data.move_to((x0, at)).line_to((x1, at)),
                (_, None) => data.move_to((x0, y + HEIGHT / 2.0)).line_to((x1, y + HEIGHT / 2.0)),
            };
            group = group.add(match value {
                Value::Idle => stroke(data, FRAME),
                Value::Unknown => stroke(data, PALE).set("stroke-dasharray", "2 3"),
                Value::Low | Value::High | Value::Text(_) => stroke(data, ink),
            });
            before = Some(at);
        }
        group
    }

    fn bus(&self, mut group: Group, y: f64, cells: &[Cell]) -> Group {
        for (run, value, wrong) in runs(cells) {
            let (x0, x1) = (self.x(run.start), self.x(run.end));
            let (middle, bottom) = (y + HEIGHT / 2.0, y + HEIGHT);
            let Value::Text(value) = value else {
                if wrong {
                    group = group.add(self.red_box(x0, x1, y));
                }
                let line = Data::new().move_to((x0, middle)).line_to((x1, middle));
                group = group.add(match value {
                    Value::Unknown => stroke(line, PALE).set("stroke-dasharray", "2 3"),
                    _ => stroke(line, FRAME),
                });
                continue;
            };
            let outline = [
                (x0, middle),
                (x0 + EDGE, y),
                (x1 - EDGE, y),
                (x1, middle),
                (x1 - EDGE, bottom),
                (x0 + EDGE, bottom),
            ];
            let points: Vec<_> = outline.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let (fill, ink) = if wrong { (RED_FILL, RED) } else { (FILL, WAVE) };
            let shape = Polygon::new()
                .set("points", points.join(" "))
                .set("fill", fill)
                .set("stroke", ink)
                .set("stroke-width", 1.2);
            let room = ((x1 - x0 - 2.0 * EDGE) / (LETTER * SMALL)).floor().max(1.0) as usize;
            let mut label = text((x0 + x1) / 2.0, bottom - 4.0, &short(value, room), INK)
                .set("text-anchor", "middle")
                .set("font-size", SMALL);
            if wrong {
                label = label.set("font-weight", "bold");
            }
            if letters(value) > room {
                // Whole under the pointer.
                label = label.add(Title::new(value));
            }
            group = group.add(shape).add(label);
        }
        group
    }

    fn red_box(&self, x0: f64, x1: f64, y: f64) -> Rectangle {
        Rectangle::new()
            .set("x", x0)
            .set("y", y - 1.0)
            .set("width", x1 - x0)
            .set("height", HEIGHT + 2.0)
            .set("fill", RED_FILL)
    }
}

/// Columns that show the same, put together.
fn runs(cells: &[Cell]) -> Vec<(std::ops::Range<usize>, &Value, bool)> {
    let mut runs: Vec<(std::ops::Range<usize>, &Value, bool)> = vec![];
    for (n, cell) in cells.iter().enumerate() {
        match runs.last_mut() {
            Some((run, value, wrong)) if **value == cell.value && *wrong == cell.wrong => {
                run.end = n + 1;
            }
            _ => runs.push((n..n + 1, &cell.value, cell.wrong)),
        }
    }
    runs
}

/// The column that the values of a lane ask for.
fn widest(lane: &Lane) -> f64 {
    let Shape::Bus(cells) = &lane.shape else { return NARROW };
    let wants = runs(cells).into_iter().map(|(run, value, _)| match value {
        Value::Text(text) => {
            (letters(text) as f64 * LETTER * SMALL + 2.0 * EDGE + 4.0) / run.len() as f64
        }
        _ => NARROW,
    });
    wants.fold(NARROW, f64::max)
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// A text that has room for so many letters.
fn short(text: &str, most: usize) -> String {
    if letters(text) <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

fn text(x: f64, y: f64, content: &str, ink: &str) -> Text {
    Text::new(content).set("x", x).set("y", y).set("fill", ink)
}

fn stroke(data: Data, ink: &str) -> Path {
    Path::new().set("d", data).set("fill", "none").set("stroke", ink).set("stroke-width", 1.4)
}
