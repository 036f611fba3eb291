//! The derivation as people read it, a step a line.

use super::Question;
use crate::buffers::number::{Exact, is_exact, show, whole};
use crate::buffers::{Headroom, Link, Switch};
use std::fmt::Write as _;

/// Places of a byte that are printed.
const PLACES: usize = 1;

/// The whole derivation.
pub(super) fn text(question: &Question) -> String {
    let Question { switch, occupied, pool } = question;
    let mut out = String::from(
        "Thresholds of a shared buffer under which ECN marks before PFC pauses\n\
         (Zhu et al., Congestion Control for Large-Scale RDMA Deployments, 2015, section 4)\n",
    );
    given(&mut out, switch);
    static_thresholds(&mut out, switch);
    dynamic_thresholds(&mut out, switch);
    for k in occupied {
        bound(&mut out, switch, *k);
    }
    if let [one, all] = occupied[..] {
        compare(&mut out, switch, one, all);
    }
    if let Some(s) = pool {
        let t_pfc = bytes(&switch.dynamic_pfc(s));
        let _ = writeln!(out, "\nWhile the shared buffer holds {} B", show(s, PLACES));
        line(&mut out, "t_PFC(s)", &format!("max(0, beta x (free - s) / 8) {t_pfc}"));
    }
    out
}

fn line(out: &mut String, name: &str, value: &str) {
    let _ = writeln!(out, "  {name:10} {value}");
}

/// `= 24 475 B`, or `~ 764.8 B` where digits are left out.
fn bytes(number: &Exact) -> String {
    let sign = if is_exact(number, PLACES) { "=" } else { "~" };
    format!("{sign} {} B", show(number, PLACES))
}

fn plain(number: &Exact) -> String {
    show(number, 9)
}

fn given(out: &mut String, switch: &Switch) {
    let (p, n) = (switch.priorities, switch.ports);
    let t_flight = switch.t_flight();
    let _ = writeln!(out, "\nGiven");
    line(out, "B", &format!("{}, shared buffer", bytes(&switch.buffer)));
    line(out, "n", &format!("= {n} ports"));
    line(out, "priorities", &format!("= {p}"));
    line(out, "beta", &format!("= {}", plain(&switch.beta)));
    match &switch.headroom {
        Headroom::Given(_) => {
            line(
                out,
                "t_flight",
                &format!("{}, headroom of a port and priority", bytes(&t_flight)),
            );
        }
        Headroom::Link(link) => of_link(out, link),
    }
    let _ = writeln!(out, "\nHeadroom, and what is left to share");
    let all = bytes(&switch.all_headroom());
    let f = show(&t_flight, PLACES);
    line(out, "headroom", &format!("= priorities x n x t_flight = {p} x {n} x {f} {all}"));
    line(out, "free", &format!("= B - headroom {}", bytes(&switch.free())));
}

fn of_link(out: &mut String, link: &Link) {
    let _ = writeln!(
        out,
        "\nHeadroom of a port and priority: what still arrives after the decision to pause"
    );
    let (gbps, metres) = (plain(&link.gbps), plain(&link.metres));
    let frame = format!("{} B of MTU and 38 B of Ethernet", link.mtu);
    line(
        out,
        "own frame",
        &format!("{}, just begun before the PAUSE: {frame}", bytes(&whole(link.frame()))),
    );
    line(out, "PAUSE", "= 84 B, with preamble and gap");
    line(
        out,
        "cable",
        &format!("= 2 x {metres} m x 5 ns/m x {gbps} Gbps / 8 {}", bytes(&link.on_the_cable())),
    );
    line(
        out,
        "response",
        &format!(
            "= {} quanta x 64 B {}, until the other side stops",
            link.response_quanta,
            bytes(&whole(link.response()))
        ),
    );
    line(out, "last frame", &format!("{}, just begun when it stops", bytes(&whole(link.frame()))));
    line(out, "t_flight", &format!("{}, their sum", bytes(&link.headroom())));
}

fn static_thresholds(out: &mut String, switch: &Switch) {
    let bound = switch.static_ecn();
    let _ = writeln!(out, "\nStatic thresholds: an equal part for each ingress queue");
    let t_pfc = bytes(&switch.static_pfc());
    line(out, "t_PFC", &format!("= free / (priorities x n) {t_pfc}"));
    line(out, "t_ECN", &format!("< t_PFC / n {}, since n egress queues may be", bytes(&bound)));
    line(out, "", "  filled by one ingress queue");
    line(out, "", &verdict(&bound, switch.mtu));
}

/// Whether a threshold below the bound can be set.
fn verdict(bound: &Exact, mtu: u64) -> String {
    if *bound > whole(mtu) {
        return format!("largest whole number: {} B", show(&below(bound), 0));
    }
    format!("not above one packet of {mtu} B: no such ECN threshold can work")
}

/// The largest whole number below a bound.
fn below(bound: &Exact) -> Exact {
    bound.ceil() - whole(1)
}

fn dynamic_thresholds(out: &mut String, switch: &Switch) {
    let _ = writeln!(out, "\nDynamic threshold: the fuller the shared buffer (s), the lower");
    line(out, "t_PFC(s)", "= beta x (free - s) / 8, not below 0");
    let empty = bytes(&switch.dynamic_pfc(&whole(0)));
    line(out, "t_PFC(0)", &format!("{empty}, with nothing in the shared buffer"));
}

fn bound(out: &mut String, switch: &Switch, k: u64) {
    let (n, free) = (switch.ports, show(&switch.free(), PLACES));
    let beta = plain(&switch.beta);
    let bound = switch.dynamic_ecn(k);
    let s = switch.occupied(k, &bound);
    let t_pfc = switch.dynamic_pfc(&s);
    let occupied = match k {
        1 => "one priority occupied".to_string(),
        k if k == switch.priorities => format!("all {k} priorities occupied"),
        k => format!("{k} priorities occupied"),
    };
    let source = match k {
        1 => " (the derivation of seed 003)",
        8 => " (the paper's printed formula)",
        _ => "",
    };
    let _ = writeln!(out, "\nECN before PFC, k = {k}: {occupied}{source}");
    let mut step = |number: u32, what: &str| {
        let _ = writeln!(out, "  {number}. {what}");
    };
    step(1, "one ingress queue may fill all n egress queues: t_PFC(s) > n x t_ECN");
    step(2, "before any mark the shared buffer holds at most: s <= k x n x t_ECN");
    step(3, "t_PFC falls as s grows, so the largest s decides:");
    step(4, "   n x t_ECN < beta x (free - k x n x t_ECN) / 8");
    step(5, "   8 x n x t_ECN + k x beta x n x t_ECN < beta x free");
    step(6, "   t_ECN < beta x free / (n x (8 + k x beta))");
    step(7, &format!("   t_ECN < {beta} x {free} / ({n} x (8 + {k} x {beta})) {}", bytes(&bound)));
    line(out, "", &verdict(&bound, switch.mtu));
    line(
        out,
        "at it",
        &format!(
            "s {}, t_PFC(s) {} {}",
            bytes(&s),
            bytes(&t_pfc),
            as_bound(switch, &bound, &t_pfc)
        ),
    );
    if bound > whole(1) {
        let lower = &bound - whole(1);
        let t_pfc = switch.dynamic_pfc(&switch.occupied(k, &lower));
        let gap = t_pfc - whole(n) * lower;
        line(out, "1 B below", &format!("t_PFC(s) - n x t_ECN {}", bytes(&gap)));
    }
}

/// Says so if t_PFC is n × t_ECN, as the derivation has it.
fn as_bound(switch: &Switch, bound: &Exact, t_pfc: &Exact) -> &'static str {
    match *t_pfc == whole(switch.ports) * bound {
        true => "= n x t_ECN, exactly",
        false => "which is not n x t_ECN",
    }
}

fn compare(out: &mut String, switch: &Switch, one: u64, all: u64) {
    let (wide, narrow) = (switch.dynamic_ecn(one), switch.dynamic_ecn(all));
    let ratio = plain(&(&wide / &narrow));
    let s = switch.occupied(all, &wide);
    let _ = writeln!(out, "\nWhich of the two");
    let _ = writeln!(out, "  They differ by (8 + {all} x beta) / (8 + beta) = {ratio}.");
    let _ = writeln!(
        out,
        "  k = {one} at its bound, with all {all} priorities occupied after all: s up to {} B,",
        show(&s, PLACES)
    );
    let t_pfc = switch.dynamic_pfc(&s);
    let _ = writeln!(
        out,
        "  where t_PFC(s) {}, less than n x t_ECN {}: PFC pauses first.",
        bytes(&t_pfc),
        bytes(&(whole(switch.ports) * &wide))
    );
    let _ = writeln!(
        out,
        "  k = {all} holds in every case; k = {one} where one priority carries it all."
    );
}
