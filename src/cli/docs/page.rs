//! A page: prose, and tables between marks.

use super::tables::Table;
use crate::error::{Error, Result};
use congruent_ports::Block;
use std::path::Path;

const BEGIN: &str = "<!-- table: ";
const BEGIN_END: &str = " -->";
const END: &str = "<!-- end -->";

/// A page that has nothing yet.
pub fn empty(block: &Block) -> String {
    format!("# {}: {}\n", block.name, block.title)
}

/// A piece of a page, with the number of its first line.
enum Piece<'a> {
    /// By hand.
    Prose(Vec<&'a str>),
    /// What stands between the marks of a table.
    Table { name: &'a str, line: usize, body: Vec<&'a str> },
}

/// The page with all tables filled in; those that it lacks come at its end, each under its title.
pub fn fill(page: &str, tables: &[Table], place: &Path) -> Result<String> {
    let pieces = pieces(page, tables, place)?;
    let mut text = String::new();
    for piece in &pieces {
        match piece {
            Piece::Prose(lines) => lines.iter().for_each(|line| push(&mut text, line)),
            Piece::Table { name, .. } => {
                let found = tables.iter().find(|table| table.name == *name);
                put(&mut text, name, found.map_or("", |table| &table.body));
            }
        }
    }
    for table in lacking(&pieces, tables) {
        text += &format!("\n## {}\n", table.title);
        put(&mut text, table.name, &table.body);
    }
    Ok(text)
}

/// Where the tables of a page are not what they should be, if they are not.
pub fn difference(page: &str, tables: &[Table], place: &Path) -> Result<Option<String>> {
    let pieces = pieces(page, tables, place)?;
    for piece in &pieces {
        let Piece::Table { name, line, body } = piece else { continue };
        let expected = tables.iter().find(|table| table.name == *name);
        let expected: Vec<&str> = expected.map_or(vec![], |table| table.body.lines().collect());
        let same = body.iter().zip(&expected).take_while(|(a, b)| a == b).count();
        if same < body.len().max(expected.len()) {
            let at = line + 1 + same;
            let what = |lines: &[&str]| match lines.get(same) {
                Some(line) => format!("`{line}`"),
                None => "the end of the table".to_string(),
            };
            return Ok(Some(format!(
                "table `{name}`, line {at}: {} where the port table makes {}",
                what(body),
                what(&expected)
            )));
        }
    }
    let lacking = lacking(&pieces, tables).next();
    Ok(lacking.map(|table| format!("table `{}` is missing", table.name)))
}

fn lacking<'a>(pieces: &'a [Piece], tables: &'a [Table]) -> impl Iterator<Item = &'a Table> {
    let has = |table: &Table| {
        pieces.iter().any(|p| matches!(p, Piece::Table { name, .. } if *name == table.name))
    };
    tables.iter().filter(move |table| !has(table))
}

/// Takes a page apart.
fn pieces<'a>(page: &'a str, tables: &[Table], place: &Path) -> Result<Vec<Piece<'a>>> {
    let wrong = |line: usize, what: String, help: &str| {
        Err(Error::input(format!("{}, line {line}: {what}", place.display()), help))
    };
    let known = || tables.iter().map(|table| table.name).collect::<Vec<_>>().join(", ");
    let mut pieces = vec![Piece::Prose(vec![])];
    for (number, line) in page.lines().enumerate().map(|(n, line)| (n + 1, line)) {
        let begins = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(BEGIN_END));
        let open = matches!(pieces.last(), Some(Piece::Table { .. }));
        if let Some(name) = begins {
            if open {
                return wrong(number, format!("table `{name}` begins inside another"), MARKS);
            }
            if tables.iter().all(|table| table.name != name) {
                let help = format!("tables of this block are {}", known());
                return wrong(number, format!("there is no table `{name}`"), &help);
            }
            let again = |p: &Piece| matches!(p, Piece::Table { name: n, .. } if *n == name);
            if pieces.iter().any(again) {
                return wrong(number, format!("table `{name}` is there twice"), "remove one");
            }
            pieces.push(Piece::Table { name, line: number, body: vec![] });
        } else if line == END {
            if !open {
                return wrong(number, "an end without a table".into(), MARKS);
            }
            pieces.push(Piece::Prose(vec![]));
        } else if let Some(Piece::Prose(lines) | Piece::Table { body: lines, .. }) =
            pieces.last_mut()
        {
            lines.push(line);
        }
    }
    if let Some(Piece::Table { name, line, .. }) = pieces.last() {
        return wrong(*line, format!("table `{name}` has no end"), MARKS);
    }
    Ok(pieces)
}

const MARKS: &str = "a table stands between `<!-- table: NAME -->` and `<!-- end -->`";

fn put(text: &mut String, name: &str, body: &str) {
    push(text, &format!("{BEGIN}{name}{BEGIN_END}"));
    *text += body;
    push(text, END);
}

fn push(text: &mut String, line: &str) {
    *text += line;
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Vec<Table> {
        let table = |name, body: &str| Table { name, title: "Title", body: body.into() };
        vec![table("one", "| 1 |\n"), table("two", "| 2 |\n| 3 |\n")]
    }

    fn fill_text(page: &str) -> String {
        fill(page, &tables(), Path::new("p.md")).expect("fills")
    }

    fn differs(page: &str) -> Option<String> {
        difference(page, &tables(), Path::new("p.md")).expect("reads")
    }

    fn error(page: &str) -> String {
        fill(page, &tables(), Path::new("p.md")).expect_err("an error").to_string()
    }

    #[test]
    fn tables_are_filled_in_and_prose_stays() {
        let page = "# P\nhand\n<!-- table: two -->\nold\n<!-- end -->\nmore\n";
        let full = "# P\nhand\n<!-- table: two -->\n| 2 |\n| 3 |\n<!-- end -->\nmore\n\
                    \n## Title\n<!-- table: one -->\n| 1 |\n<!-- end -->\n";
        assert_eq!(fill_text(page), full);
        assert_eq!(fill_text(full), full);
        assert_eq!(differs(full), None);
    }

    #[test]
    fn a_difference_is_named_with_its_line() {
        let full = fill_text("# P\n");
        let wrong = full.replace("| 3 |", "| 4 |");
        let found = differs(&wrong).expect("differs");
        assert!(found.contains("table `two`, line 11: `| 4 |`") && found.contains("`| 3 |`"));
        let short = full.replace("| 3 |\n", "");
        assert!(differs(&short).expect("differs").contains("the end of the table"));
        let long = full.replace("| 3 |", "| 3 |\n| 5 |");
        assert!(differs(&long).expect("differs").contains("makes the end of the table"));
        assert_eq!(differs("# P\n").as_deref(), Some("table `one` is missing"));
    }

    #[test]
    fn marks_that_do_not_fit_are_named_with_their_line() {
        assert!(error("<!-- table: six -->\n<!-- end -->\n").contains("line 1: there is no table"));
        assert!(error("a\n<!-- end -->\n").contains("line 2: an end without"));
        assert!(error("a\n<!-- table: one -->\n").contains("line 2: table `one` has no end"));
        let twice = "<!-- table: one -->\n<!-- end -->\n".repeat(2);
        assert!(error(&twice).contains("line 3: table `one` is there twice"));
        assert!(error("<!-- table: one -->\n<!-- table: two -->\n").contains("line 2"));
    }
}
