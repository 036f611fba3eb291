//! The core of `pacing_table` held against the f64 reference over a million events.
//!
//! Both get the same BECNs, packets and ends of periods, each at its due time; a packet that may not
//! go is dropped. Where `next_send` or its slack falls between the two (closer than the error that
//! is allowed by then) the reference follows the core's branch, and that is counted; a branch that
//! differs by more is a failure.

use congruent_hw::pacing_table::cfg::configure;
use congruent_hw::pacing_table::core::{self, Cfg, Decay, Entry, Row};
use congruent_hw::pacing_table::reference::Reference;
use congruent_hw::pacing_table::table::Table;
use congruent_hw::pacing_table::{BECN, CCT, HEAD, random};
use congruent_hw::scenario::Leg;
use congruent_ports::ParamSet;
use congruent_ports::pacing_table::BLOCK;

/// The functions of the core that are held against the reference; tests plant faults here.
#[derive(Clone, Copy)]
struct Core {
    becn_hit: fn(&Cfg, &mut Entry, u64),
    allocate: fn(&Cfg, u64, u64) -> Entry,
    decay: fn(&Cfg, &mut Entry) -> Decay,
    gap: fn(&Cfg, u64, Row) -> u64,
    grant: fn(&Cfg, &mut Entry, u64, u64),
}

const CORE: Core = Core {
    becn_hit: core::becn_hit,
    allocate: core::allocate,
    decay: core::decay,
    gap: core::gap,
    grant: core::grant,
};

/// Largest errors that were seen.
#[derive(Debug, Default, Clone, Copy)]
struct Errors {
    events: u64,
    /// Cycles, for packets of less than a cycle too.
    gap: f64,
    /// Share of the gap, for packet and base times of a cycle or more.
    gap_share: f64,
    /// `next_send`, as a share of what its chain of packets allows.
    next_send: f64,
    /// Thresholds at which the reference followed the core.
    steered: u64,
    evictions: u64,
}

/// One leg in both.
struct Pair {
    fns: Core,
    cfg: Cfg,
    /// Says which entry an event goes to.
    table: Table,
    /// The entries as the functions under test leave them.
    entries: Vec<Entry>,
    rows: Vec<Row>,
    exact: Reference,
    /// By entry: how far next_send may be off by now, cycles.
    allowed: Vec<f64>,
    /// Bounds double with each fraction bit less than 16.
    coarser: f64,
    errors: Errors,
}

impl Pair {
    fn new(fns: Core, leg: &Leg, params: &ParamSet) -> Self {
        let cfg = configure(&leg.attributes, params).expect("legal");
        let entries = params.get("ENTRIES") as usize;
        Self {
            fns,
            table: Table::new(entries),
            entries: vec![Entry::default(); entries],
            rows: (0..1 << params.get("CCTI_W")).map(Row::linear).collect(),
            exact: Reference::new(&leg.attributes, params),
            allowed: vec![0.0; entries],
            coarser: f64::from(1u32 << (16 - cfg.time_frac)),
            errors: Errors::default(),
            cfg,
        }
    }

    fn becn(&mut self, cycle: u64, dlid: u64) -> Result<(), String> {
        self.errors.events += 1;
        let now = cycle & self.cfg.time.mask();
        let exact = self.exact.becn(cycle as f64, dlid);
        let becn = self.table.becn(&self.cfg, dlid, now);
        let (Some(becn), Some(exact)) = (becn, &exact) else {
            return match (becn, exact) {
                (None, None) => Ok(()),
                (becn, exact) => Err(format!("core {becn:?}, reference {exact:?}")),
            };
        };
        let entry = &mut self.entries[becn.index];
        let evicted = (!becn.hit && entry.valid).then_some((entry.dlid, entry.ccti));
        if becn.hit {
            (self.fns.becn_hit)(&self.cfg, entry, now);
        } else {
            *entry = (self.fns.allocate)(&self.cfg, dlid, now);
            self.allowed[becn.index] = 0.0;
        }
        self.errors.evictions += u64::from(evicted.is_some());
        let core = (becn.index, becn.hit, entry.ccti, core::logs(&self.cfg, entry.ccti), evicted);
        let gone = exact.evicted.as_ref().map(|gone| (gone.dlid, gone.ccti));
        let reference = (exact.index, exact.hit, exact.ccti, exact.logs, gone);
        if core != reference {
            return Err(format!("BECN for {dlid:#x}: core {core:?}, reference {reference:?}"));
        }
        Ok(())
    }

    /// Ends the periods that are over in this cycle: at their due time, so none is late.
    fn decays(&mut self, cycle: u64) -> Result<(), String> {
        if self.cfg.period == 0 {
            return Ok(());
        }
        let now = cycle & self.cfg.time.mask();
        for index in 0..self.entries.len() {
            let due = core::due(&self.cfg, &self.entries[index], now);
            let exact = self.exact.entry(index).is_some_and(|e| e.deadline <= cycle as f64);
            if due != exact {
                return Err(format!(
                    "entry {index}: due in the core {due}, in the reference {exact}"
                ));
            }
            if !due {
                continue;
            }
            self.errors.events += 1;
            self.table.decay(&self.cfg, index);
            let decay = (self.fns.decay)(&self.cfg, &mut self.entries[index]);
            let exact = self.exact.decay(index).ok_or("nothing to decay")?;
            let core = (decay.ccti, decay.changed, decay.released);
            if core != (exact.ccti, exact.changed, exact.ccti == 0) {
                return Err(format!("entry {index}: core {decay:?}, reference {exact:?}"));
            }
        }
        Ok(())
    }

    fn packet(&mut self, cycle: u64, dlid: u64, bytes: u64) -> Result<(), String> {
        let Some(handle) = self.table.lookup(dlid) else {
            return match self.exact.lookup(dlid) {
                None => Ok(()),
                Some(_) => Err(format!("{dlid:#x} is tracked in the reference only")),
            };
        };
        self.errors.events += 1;
        let now = cycle & self.cfg.time.mask();
        let entry = &mut self.entries[handle.index];
        let allowed = &mut self.allowed[handle.index];
        let before = self.exact.entry(handle.index).ok_or("tracked in the core only")?;
        let late = cycle as f64 - before.next_send;
        let goes = core::send_time(&self.cfg, entry, now);
        if goes != (late >= 0.0) {
            if late.abs() > *allowed {
                return Err(format!("{dlid:#x} goes: core {goes}, reference late by {late}"));
            }
            self.errors.steered += 1;
        }
        if !goes {
            return Ok(());
        }
        let gap = (self.fns.gap)(&self.cfg, bytes, self.rows[entry.ccti as usize]);
        let exact_gap = self.exact.gap(dlid, bytes).ok_or("tracked in the core only")?;
        let cycles = |raw: u64| raw as f64 / f64::from(1u32 << self.cfg.time_frac);
        let error = (cycles(gap) - exact_gap).abs();
        let mut bound = BLOCK.bound("gap") * self.coarser;
        self.errors.gap = self.errors.gap.max(error / self.coarser);
        let constants = self.exact.constants();
        if constants.packet_time(bytes).min(constants.base_time(bytes)) >= 1.0 {
            bound = bound.min(BLOCK.bound("gap_share") * self.coarser * exact_gap);
            self.errors.gap_share = self.errors.gap_share.max(error / exact_gap / self.coarser);
        }
        if error > bound {
            return Err(format!("{bytes} B: gap {} cycles, reference {exact_gap}", cycles(gap)));
        }
        let slack = self.exact.constants().slack();
        let since = self.cfg.pace_time.sub(now << self.cfg.time_frac, entry.next_send);
        let within = entry.held && since < self.cfg.pacing_slack << self.cfg.time_frac;
        // Where the error decides, the reference follows: who waits longer earns another base.
        let near = (late - slack).abs() <= *allowed;
        self.errors.steered += u64::from(near && within != (late < slack));
        self.exact.grant(cycle as f64, dlid, exact_gap, near.then_some(within));
        (self.fns.grant)(&self.cfg, entry, now, gap);
        self.table.grant(&self.cfg, handle, now, gap);
        *allowed = if within { *allowed } else { 0.0 } + bound;
        let after = self.exact.entry(handle.index).ok_or("lost")?.next_send - cycle as f64;
        let whole = 2f64.powi(self.cfg.time.mask().count_ones() as i32);
        let mut ahead = cycles(self.cfg.pace_time.sub(entry.next_send, now << self.cfg.time_frac));
        // A next_send in the past shows as a difference of almost a whole wrap.
        if ahead > whole / 2.0 {
            ahead -= whole;
        }
        let error = (ahead - after).abs();
        self.errors.next_send = self.errors.next_send.max(error / *allowed);
        if error > *allowed {
            return Err(format!("{dlid:#x}: next_send {ahead} ahead, reference {after}"));
        }
        Ok(())
    }

    /// One entry a cycle: a next_send that is over is forgotten before it is half a wrap old.
    fn sweep(&mut self, cycle: u64) {
        let index = cycle as usize % self.entries.len();
        core::expire(&self.cfg, &mut self.entries[index], cycle & self.cfg.time.mask());
    }
}

/// Plays a leg into both. Returns the errors, or what is beyond the bound.
fn hold(fns: Core, leg: &Leg, params: &ParamSet) -> Result<Errors, String> {
    let mut pair = Pair::new(fns, leg, params);
    let streams = &leg.stimulus.streams;
    let mut at = [0; 4];
    for cycle in 0..leg.stimulus.cycles {
        pair.decays(cycle)?;
        let mut take = |channel: usize| {
            let stream = &streams[channel];
            stream.not_before(at[channel]).filter(|from| *from <= cycle)?;
            at[channel] += 1;
            Some(stream.payload(at[channel] - 1))
        };
        if let Some(payload) = take(BECN) {
            pair.becn(cycle, payload[0])?;
        }
        if let Some([_, dlid, bytes]) = take(HEAD)
            && *bytes > 0
        {
            pair.packet(cycle, *dlid, *bytes)?;
        }
        if let Some([index, shift, multiplier]) = take(CCT) {
            let row = Row { shift: *shift as u32, multiplier: *multiplier };
            pair.rows[*index as usize] = row;
            pair.exact.write_row(*index as usize, row.shift, row.multiplier);
        }
        pair.sweep(cycle);
    }
    Ok(pair.errors)
}

/// Random legs of the sets up to 64 entries in turn, until so many events were compared.
fn run(fns: Core, events: u64) -> Result<Errors, String> {
    let mut all = Errors::default();
    for n in 0.. {
        for build in ["default", "four", "one"] {
            let params = BLOCK.build(build).expect("built in").params(&BLOCK);
            let leg = random::leg(3, n, 12_000, &params);
            let errors =
                hold(fns, &leg, &params).map_err(|why| format!("{build}, leg {n}: {why}"))?;
            all.events += errors.events;
            all.steered += errors.steered;
            all.evictions += errors.evictions;
            all.gap = all.gap.max(errors.gap);
            all.gap_share = all.gap_share.max(errors.gap_share);
            all.next_send = all.next_send.max(errors.next_send);
        }
        if all.events >= events {
            break;
        }
    }
    Ok(all)
}

#[test]
fn the_core_stays_within_the_bounds_over_a_million_events() {
    let errors = run(CORE, 1_000_000).unwrap_or_else(|why| panic!("{why}"));
    println!(
        "{} events, {} evictions: gap error {:.4} cycles, {:.2e} of the gap from a cycle on (bounds {} and {:e}); next_send error at most {:.3} of what its chain allows; {} thresholds steered",
        errors.events,
        errors.evictions,
        errors.gap,
        errors.gap_share,
        BLOCK.bound("gap"),
        BLOCK.bound("gap_share"),
        errors.next_send,
        errors.steered
    );
    // A bound that is never approached says nothing about the comparison.
    assert!(errors.gap > 0.01 && errors.gap_share > 1e-6 && errors.evictions > 0);
}

/// The shift drops the fraction of a cycle.
fn whole_cycles(cfg: &Cfg, bytes: u64, row: Row) -> u64 {
    let time = core::packet_time(cfg, bytes);
    let base = if cfg.delay_base_mtu { cfg.mtu_time } else { time };
    let delay = (((base >> cfg.time_frac) >> row.shift) * row.multiplier) << cfg.time_frac;
    (time + delay).min(cfg.gap_most)
}

/// The delay without the packet's own time.
fn delay_only(cfg: &Cfg, bytes: u64, row: Row) -> u64 {
    let time = core::packet_time(cfg, bytes);
    core::gap(cfg, bytes, row) - if row.multiplier > 0 { time.min(cfg.gap_most / 2) } else { 0 }
}

/// Pacing always starts from now.
fn no_credit(cfg: &Cfg, entry: &mut Entry, now: u64, gap: u64) {
    entry.held = false;
    core::grant(cfg, entry, now, gap);
}

/// Decays below CCTI_Min.
fn below_min(cfg: &Cfg, entry: &mut Entry) -> Decay {
    core::decay(&Cfg { min: 0, ..cfg.clone() }, entry)
}

/// The next period runs from one cycle later.
fn drifts(cfg: &Cfg, entry: &mut Entry) -> Decay {
    let decay = core::decay(cfg, entry);
    if entry.valid {
        entry.deadline = cfg.time.add(entry.deadline, 1);
    }
    decay
}

/// `skip` saturates.
fn never_skips(cfg: &Cfg, entry: &mut Entry, now: u64) {
    core::becn_hit(&Cfg { skip: false, ..cfg.clone() }, entry, now);
}

/// Rearms on every hit, changed or not.
fn always_rearms(cfg: &Cfg, entry: &mut Entry, now: u64) {
    core::becn_hit(cfg, entry, now);
    if cfg.rearm && cfg.period != 0 {
        entry.deadline = cfg.time.add(now, cfg.period);
    }
}

/// A new entry begins at the increase, whatever CCTI_Min.
fn forgets_min(cfg: &Cfg, dlid: u64, now: u64) -> Entry {
    Entry { ccti: cfg.increase.clamp(1, cfg.limit), ..core::allocate(cfg, dlid, now) }
}

#[test]
fn planted_faults_of_the_core_are_beyond_the_bounds() {
    let faults = [
        ("a shift of whole cycles", Core { gap: whole_cycles, ..CORE }),
        ("a delay without the packet's time", Core { gap: delay_only, ..CORE }),
        ("no credit for a sender in time", Core { grant: no_credit, ..CORE }),
        ("a decay below the minimum", Core { decay: below_min, ..CORE }),
        ("a chain of deadlines that drifts", Core { decay: drifts, ..CORE }),
        ("skip saturates", Core { becn_hit: never_skips, ..CORE }),
        ("rearm without a change", Core { becn_hit: always_rearms, ..CORE }),
        ("a new entry that forgets the minimum", Core { allocate: forgets_min, ..CORE }),
    ];
    for (name, core) in faults {
        match run(core, 300_000) {
            Err(why) => println!("{name}: {why}"),
            Ok(errors) => panic!("{name}: not noticed, {errors:?}"),
        }
    }
}
