//! The report of `check` as JUnit XML, which CI servers show: a suite a block; in it a case a run, and
//! one for each thing that went wrong, with all that is told of it.

use crate::error::{Error, Result};
use crate::report::{BlockReport, Report, Run};
use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The text of the file.
///
/// # Errors
/// None is expected: the writer's.
pub fn text(report: &Report) -> Result<String> {
    let mut all = quick_junit::Report::new("congruent");
    all.set_time(Duration::from_secs_f64(report.elapsed_s));
    all.add_test_suites(report.blocks.iter().map(|block| suite(report, block)));
    all.to_string().map_err(|e| Error::plain(format!("the JUnit report cannot be written: {e}")))
}

fn suite(report: &Report, block: &BlockReport) -> TestSuite {
    let mut suite = TestSuite::new(block.block);
    suite.add_property(("versions", block.versions.join(", ").as_str()));
    suite.add_property(("command", report.command.as_str()));
    suite.add_test_cases(block.runs.iter().map(|run| case_of_run(block, run)));
    for divergence in &block.divergences {
        let name = format!("{}: {}", divergence.run, divergence.signature);
        let message = format!("{} diverged in cycle {}", divergence.port, divergence.cycle);
        let text = divergence.to_string();
        suite.add_test_case(failed(block, name, &message, text, &divergence.command));
    }
    for ended in &block.ended {
        let name = format!("{}: {}", ended.place, ended.signature);
        suite.add_test_case(failed(block, name, &ended.how, ended.to_string(), &ended.command));
    }
    if block.verdict == "vacuous" {
        let missing = [&block.uncovered[..], &block.never_valid[..]].concat().join(", ");
        let message = format!("never happened: {missing}");
        let command = &report.command;
        suite.add_test_case(failed(block, "coverage".into(), &message, message.clone(), command));
    }
    suite
}

fn case_of_run(block: &BlockReport, run: &Run) -> TestCase {
    let status = match run.verdict {
        "congruent" => TestCaseStatus::success(),
        "stopped" => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message("stopped before its end");
            skipped
        }
        verdict => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(format!("{verdict}: told in a case of its own"));
            status.set_type(verdict);
            status
        }
    };
    let mut case = TestCase::new(run.what.as_str(), status);
    case.set_classname(block.block);
    case.set_time(Duration::from_secs_f64(run.wall_s.max(0.0)));
    let mut property = |name: &str, value: String| {
        case.add_property(Property::new(name, value));
    };
    property("compare", run.compare.clone());
    property("cycles", run.cycles.to_string());
    if let (Some(seed), Some(seeds)) = (run.seed, run.seeds) {
        property("seed", seed.to_string());
        property("seeds", seeds.to_string());
    }
    property("command", run.command.clone());
    case.set_system_out(format!("again: {}", run.command));
    case
}

fn failed(
    block: &BlockReport,
    name: String,
    message: &str,
    text: String,
    command: &str,
) -> TestCase {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message);
    status.set_type(block.verdict);
    status.set_description(text);
    let mut case = TestCase::new(name, status);
    case.set_classname(block.block);
    case.add_property(Property::new("command", command));
    case.set_system_out(format!("again: {command}"));
    case
}
