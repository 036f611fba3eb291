//! `congruent buffers`: PFC and ECN thresholds of a shared-buffer switch, with the derivation.

mod text;

use super::{json, print};
use crate::buffers::number::{Exact, parse, parse_bytes, to_f64, whole};
use crate::buffers::{Headroom, Link, Switch};
use crate::error::{Error, Exit, Result};
use serde::Serialize;

/// The DCQCN buffer calculator: thresholds under which ECN marks before PFC pauses.
///
/// Prints the derivation line by line; everything is exact, and rounded only when it is printed.
/// Without flags it is the switch of Zhu et al. 2015.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Bytes may carry KB, MB, GB (powers of 1000) or KiB, MiB, GiB (powers of 1024).

Examples:
  congruent buffers
  congruent buffers --buffer 64MB --ports 32 --link-rate 400 --cable 100 --mtu 4096 --occupied 2
  congruent buffers --beta 1/2 --pool 3MB --json")]
pub struct Args {
    /// B, the shared buffer
    #[arg(long, value_name = "BYTES", default_value = "12MB", value_parser = parse_bytes)]
    buffer: Exact,
    /// n, ports of the switch: 1 to 512
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u64).range(1..=512))]
    ports: u64,
    /// Lossless priorities, each with its own headroom on each port: 1 to 8
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=8))]
    priorities: u64,
    /// t_flight, headroom of a port and priority; 22400 unless it is reckoned from --link-rate
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, conflicts_with = "link_rate")]
    headroom: Option<Exact>,
    /// Reckons t_flight from the link instead: its rate, Gbps
    #[arg(long, value_name = "GBPS", value_parser = parse, requires = "cable")]
    link_rate: Option<Exact>,
    /// Length of the link's cable, metres
    #[arg(long, value_name = "METRES", value_parser = parse, requires = "link_rate")]
    cable: Option<Exact>,
    /// Pause quanta that the other side may take to stop; the standard's figure for the rate without it
    #[arg(long, value_name = "QUANTA", requires = "link_rate", value_parser = clap::value_parser!(u64).range(0..=65535))]
    response: Option<u64>,
    /// Largest packet, bytes without Ethernet's own: 64 to 65535
    #[arg(long, value_name = "BYTES", default_value_t = 1500, value_parser = clap::value_parser!(u64).range(64..=65535))]
    mtu: u64,
    /// beta: the share of what is free that one ingress queue may take, in eighths; 1/128 to 128
    #[arg(long, value_name = "BETA", default_value = "8", value_parser = parse)]
    beta: Exact,
    /// k, priorities occupied at once, 1 to --priorities; one and all of them without it
    #[arg(long, value_name = "K")]
    occupied: Option<u64>,
    /// Also prints t_PFC while the shared buffer holds so much
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pool: Option<Exact>,
    /// For machines: JSON with a format_version
    #[arg(long)]
    json: bool,
}

/// Version of the JSON form. It goes up when a member changes its meaning or goes away.
const FORMAT_VERSION: u32 = 1;

/// What the derivation is for.
#[derive(Debug)]
pub(crate) struct Question {
    /// The switch, with something left to share.
    pub switch: Switch,
    /// Numbers of occupied priorities, k.
    pub occupied: Vec<u64>,
    /// Bytes in the shared buffer, if somebody asked.
    pub pool: Option<Exact>,
}

/// Runs the subcommand.
///
/// # Errors
/// Numbers out of range; a switch whose headroom leaves no shared buffer.
pub fn run(args: &Args) -> Result<Exit> {
    let question = question(args)?;
    print(&if args.json { json(&report(&question)) } else { text::text(&question) });
    Ok(Exit::Ok)
}

fn question(args: &Args) -> Result<Question> {
    let (least, most) = (Exact::new(1.into(), 128.into()), whole(128));
    if !(least..=most).contains(&args.beta) {
        return Err(Error::input(
            format!("--beta {} is out of range", args.beta),
            "accepted: 1/128 to 128",
        ));
    }
    let occupied = match args.occupied {
        None if args.priorities == 1 => vec![1],
        None => vec![1, args.priorities],
        Some(k) if (1..=args.priorities).contains(&k) => vec![k],
        Some(k) => {
            return Err(Error::input(
                format!("--occupied {k}: the switch has {} priorities", args.priorities),
                format!("accepted: 1 to {}", args.priorities),
            ));
        }
    };
    let switch = Switch {
        buffer: args.buffer.clone(),
        ports: args.ports,
        priorities: args.priorities,
        headroom: headroom(args)?,
        beta: args.beta.clone(),
        mtu: args.mtu,
    };
    switch.check().map_err(|why| Error::input(why.message, why.help))?;
    Ok(Question { switch, occupied, pool: args.pool.clone() })
}

fn headroom(args: &Args) -> Result<Headroom> {
    let (Some(gbps), Some(metres)) = (&args.link_rate, &args.cable) else {
        return Ok(Headroom::Given(args.headroom.clone().unwrap_or_else(|| whole(22_400))));
    };
    let response_quanta = match args.response.or_else(|| Link::standard_response(gbps)) {
        Some(quanta) => quanta,
        None => {
            let speeds: Vec<_> = Link::standard_speeds().map(|s| s.to_string()).collect();
            return Err(Error::input(
                format!("no response time is known for a link of {gbps} Gbps"),
                format!(
                    "give it in pause quanta of 512 bit times by --response; known for {} Gbps",
                    speeds.join(", ")
                ),
            ));
        }
    };
    Ok(Headroom::Link(Link {
        gbps: gbps.clone(),
        metres: metres.clone(),
        mtu: args.mtu,
        response_quanta,
    }))
}

/// A number twice: exact, and to be plotted.
#[derive(Debug, Serialize)]
struct Number {
    /// A whole number or a fraction.
    exact: String,
    value: f64,
}

impl From<Exact> for Number {
    fn from(number: Exact) -> Self {
        Self { exact: number.to_string(), value: to_f64(&number) }
    }
}

#[derive(Debug, Serialize)]
struct Report {
    format_version: u32,
    /// Unit of every number here but beta and the counts.
    unit: &'static str,
    buffer: Number,
    ports: u64,
    priorities: u64,
    headroom: Number,
    beta: Number,
    headroom_of_all: Number,
    free: Number,
    #[serde(rename = "static")]
    fixed: Fixed,
    dynamic: Vec<Dynamic>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pool: Option<Pool>,
}

/// Static thresholds.
#[derive(Debug, Serialize)]
struct Fixed {
    t_pfc: Number,
    /// t_ECN has to be smaller than this.
    t_ecn_below: Number,
    /// Whether a t_ECN of one packet is below it.
    feasible: bool,
}

/// The bound on t_ECN with so many priorities occupied.
#[derive(Debug, Serialize)]
struct Dynamic {
    occupied: u64,
    /// t_ECN has to be smaller than this.
    t_ecn_below: Number,
    feasible: bool,
    /// At the bound: the shared buffer's fill, and t_PFC there, which is n x t_ECN.
    pool_at_bound: Number,
    t_pfc_at_bound: Number,
}

/// t_PFC at a fill that was asked for.
#[derive(Debug, Serialize)]
struct Pool {
    pool: Number,
    t_pfc: Number,
}

fn report(question: &Question) -> Report {
    let Question { switch, occupied, pool } = question;
    let feasible = |bound: &Exact| *bound > whole(switch.mtu);
    let dynamic = |k: &u64| {
        let bound = switch.dynamic_ecn(*k);
        let s = switch.occupied(*k, &bound);
        Dynamic {
            occupied: *k,
            feasible: feasible(&bound),
            t_ecn_below: bound.into(),
            t_pfc_at_bound: switch.dynamic_pfc(&s).into(),
            pool_at_bound: s.into(),
        }
    };
    Report {
        format_version: FORMAT_VERSION,
        unit: "bytes",
        buffer: switch.buffer.clone().into(),
        ports: switch.ports,
        priorities: switch.priorities,
        headroom: switch.t_flight().into(),
        beta: switch.beta.clone().into(),
        headroom_of_all: switch.all_headroom().into(),
        free: switch.free().into(),
        fixed: Fixed {
            t_pfc: switch.static_pfc().into(),
            t_ecn_below: switch.static_ecn().into(),
            feasible: feasible(&switch.static_ecn()),
        },
        dynamic: occupied.iter().map(dynamic).collect(),
        pool: pool
            .as_ref()
            .map(|s| Pool { pool: s.clone().into(), t_pfc: switch.dynamic_pfc(s).into() }),
    }
}
