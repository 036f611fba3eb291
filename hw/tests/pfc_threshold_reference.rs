//! The core of `pfc_threshold` held against the f64 reference over a million random events, event by
//! event: every decision and every count has to be the same. And planted faults of the core that
//! have to be found.

use congruent_hw::pfc_threshold::cfg::configure;
use congruent_hw::pfc_threshold::core::{self, Admit, Cfg, Gone, Mode, Queue, Verdict, Visit};
use congruent_hw::pfc_threshold::random;
use congruent_hw::pfc_threshold::reference::Reference;
use congruent_hw::random::Draw;
use congruent_hw::scenario::Leg;
use congruent_ports::ParamSet;
use congruent_ports::pfc_threshold::BLOCK;

/// The functions of the core that are held against the reference; tests plant faults here.
#[derive(Clone, Copy)]
struct Core {
    enqueue: fn(&Cfg, &mut Queue, &mut u64, u64, u64) -> Admit,
    dequeue: fn(&Cfg, &mut Queue, &mut u64, u64) -> Gone,
    visit: fn(&Cfg, &mut Queue, u64, u64) -> Option<Visit>,
}

const CORE: Core = Core { enqueue: core::enqueue, dequeue: core::dequeue, visit: core::visit };

/// What was compared.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    events: u64,
    drops: u64,
    pauses: u64,
    resumes: u64,
    refreshes: u64,
    differing: u64,
}

struct Pair<'a> {
    core: Core,
    cfg: Cfg,
    queues: Vec<Queue>,
    s: u64,
    exact: Reference,
    /// Which XOFFs find no place: the reference sends every beat.
    lost: Draw,
    owed: Vec<bool>,
    seen: &'a mut Seen,
}

fn hold(
    core: Core,
    number: u64,
    leg: &Leg,
    params: &ParamSet,
    seen: &mut Seen,
) -> Result<(), String> {
    let cfg = configure(&leg.attributes, params).expect("legal");
    let queues = params.get("QUEUES") as usize;
    let mut pair = Pair {
        core,
        queues: vec![Queue::default(); queues],
        s: 0,
        exact: Reference::new(&leg.attributes, params).expect("legal"),
        lost: Draw::new(number, "lost"),
        owed: vec![false; queues],
        cfg,
        seen,
    };
    let streams = &leg.stimulus.streams;
    let mut at = [0, 0];
    for cycle in 0..leg.stimulus.cycles {
        // Order within a cycle: deq, enq, sweep.
        for channel in [1, 0] {
            if streams[channel].not_before(at[channel]) == Some(cycle) {
                let payload = streams[channel].payload(at[channel]);
                at[channel] += 1;
                match (payload[0] as usize, channel) {
                    (queue, _) if queue >= queues => (),
                    (queue, 0) => pair.enq(cycle, queue, payload[1])?,
                    (queue, _) => pair.deq(cycle, queue, payload[1])?,
                }
            }
        }
        pair.visit(cycle, cycle as usize % queues)?;
    }
    Ok(())
}

impl Pair<'_> {
    fn enq(&mut self, cycle: u64, at: usize, bytes: u64) -> Result<(), String> {
        self.seen.events += 1;
        let now = cycle & self.cfg.time.mask();
        let state = &mut self.queues[at];
        let admit = (self.core.enqueue)(&self.cfg, state, &mut self.s, now, bytes);
        if admit.xoff && self.lost.chance(1, 8) {
            core::owe(state);
            self.owed[at] = true;
        }
        self.seen.drops += u64::from(admit.verdict == Verdict::Dropped);
        self.seen.pauses += u64::from(admit.xoff);
        let exact = self.exact.enqueue(at, cycle as f64, bytes as f64);
        self.same(at, "enq", admit == exact, &format!("{admit:?}, {exact:?}"))
    }

    fn deq(&mut self, _cycle: u64, at: usize, bytes: u64) -> Result<(), String> {
        self.seen.events += 1;
        let gone = (self.core.dequeue)(&self.cfg, &mut self.queues[at], &mut self.s, bytes);
        self.seen.resumes += u64::from(gone.resume);
        let exact = self.exact.dequeue(at, bytes as f64);
        self.owed[at] &= !exact.resume;
        self.same(at, "deq", gone == exact, &format!("{gone:?}, {exact:?}"))
    }

    fn visit(&mut self, cycle: u64, at: usize) -> Result<(), String> {
        let now = cycle & self.cfg.time.mask();
        let made = (self.core.visit)(&self.cfg, &mut self.queues[at], self.s, now);
        // An owed XOFF comes between the two that the reference knows.
        let exact = if self.owed[at] && !self.exact.may_resume(at) {
            Some(Visit::Owed)
        } else {
            self.exact.visit(at, cycle as f64)
        };
        self.owed[at] &= exact.is_none();
        self.seen.events += u64::from(made.is_some());
        self.seen.resumes += u64::from(made == Some(Visit::Resume));
        self.seen.refreshes += u64::from(made == Some(Visit::Refresh));
        self.same(at, "visit", made == exact, &format!("{made:?}, {exact:?}"))
    }

    /// The decision, and everything that is counted.
    fn same(&mut self, at: usize, event: &str, same: bool, what: &str) -> Result<(), String> {
        let (state, exact) = (&self.queues[at], &self.exact.queues[at]);
        let most = (1 << self.cfg.count_w) - 1;
        let deadline = exact.deadline as u64 & self.cfg.time.mask();
        let counts = state.q as f64 == exact.q
            && state.h as f64 == exact.h
            && self.s as f64 == self.exact.s
            && state.paused == exact.paused
            && state.owed == self.owed[at]
            && state.drops == exact.drops.min(most)
            && state.pauses == exact.pauses.min(most)
            && state.deadline == deadline;
        if same && counts {
            return Ok(());
        }
        self.seen.differing += 1;
        if self.seen.differing as f64 <= BLOCK.bound("decisions") {
            return Ok(());
        }
        Err(format!("{event} of queue {at}: {what}; {state:?} and {exact:?}"))
    }
}

fn run(core: Core, events: u64) -> Result<Seen, String> {
    let mut seen = Seen::default();
    let mut number = 0;
    while seen.events < events {
        for set in BLOCK.builds {
            let params = set.params(&BLOCK);
            let leg = random::leg(11, number, 2_000, &params);
            hold(core, number, &leg, &params, &mut seen)
                .map_err(|why| format!("{}, leg {number}, {}: {why}", set.name, seen.events))?;
        }
        number += 1;
    }
    Ok(seen)
}

#[test]
fn a_million_events_decide_as_the_reference_does() {
    let seen = run(CORE, 1_000_000).unwrap_or_else(|why| panic!("{why}"));
    println!("{seen:?}");
    assert_eq!(seen.differing, 0);
    for (what, count) in [
        ("drops", seen.drops),
        ("pauses", seen.pauses),
        ("resumes", seen.resumes),
        ("refreshes", seen.refreshes),
    ] {
        assert!(count > 5_000, "{what}: {count}");
    }
}

/// The same with the fraction of t_PFC cut off.
fn whole_bytes(cfg: &Cfg, queue: &mut Queue, s: &mut u64, now: u64, bytes: u64) -> Admit {
    let (before, s_before) = (*queue, *s);
    let mut admit = core::enqueue(cfg, queue, s, now, bytes);
    let cut = core::threshold(cfg, *s) >> 10;
    // A threshold with a fraction counts as the next whole byte.
    if admit.xoff && cfg.mode == Mode::Dynamic && queue.q == cut + 1 {
        (*queue, *s) = (before, s_before);
        queue.q += bytes;
        *s += bytes;
        admit.xoff = false;
    }
    admit
}

/// Judged with the bytes of the pool before the packet.
fn s_before(cfg: &Cfg, queue: &mut Queue, s: &mut u64, now: u64, bytes: u64) -> Admit {
    if queue.paused || *s + bytes > cfg.pool_bytes || cfg.mode == Mode::Static {
        return core::enqueue(cfg, queue, s, now, bytes);
    }
    let before = *s;
    let kept = Queue { q: queue.q + bytes, ..*queue };
    *s += bytes;
    if core::above_xoff(cfg, kept.q, before) {
        *s = before;
        return core::enqueue(cfg, queue, s, now, bytes);
    }
    *queue = kept;
    Admit { verdict: Verdict::Pool, xoff: false }
}

/// A headroom that is full one byte early.
fn early_full(cfg: &Cfg, queue: &mut Queue, s: &mut u64, now: u64, bytes: u64) -> Admit {
    let cfg = Cfg { headroom_bytes: cfg.headroom_bytes.saturating_sub(1), ..cfg.clone() };
    core::enqueue(&cfg, queue, s, now, bytes)
}

/// A pool whose last byte stays free.
fn early_pool(cfg: &Cfg, queue: &mut Queue, s: &mut u64, now: u64, bytes: u64) -> Admit {
    if !queue.paused && *s + bytes == cfg.pool_bytes {
        queue.drops = core::count(cfg, queue.drops);
        return Admit { verdict: Verdict::Dropped, xoff: false };
    }
    core::enqueue(cfg, queue, s, now, bytes)
}

/// A static mode that lets the pool overflow.
fn no_limit(cfg: &Cfg, queue: &mut Queue, s: &mut u64, now: u64, bytes: u64) -> Admit {
    let most = if cfg.mode == Mode::Static { 1 << 30 } else { cfg.pool_bytes };
    core::enqueue(&Cfg { pool_bytes: most, ..cfg.clone() }, queue, s, now, bytes)
}

/// The pool is emptied before the headroom.
fn pool_first(cfg: &Cfg, queue: &mut Queue, s: &mut u64, bytes: u64) -> Gone {
    let from_pool = bytes.min(queue.q);
    *s -= from_pool;
    queue.q -= from_pool;
    core::dequeue(cfg, queue, s, bytes - from_pool)
}

/// Resumes although the headroom is not empty.
fn headroom_left(cfg: &Cfg, queue: &mut Queue, s: &mut u64, bytes: u64) -> Gone {
    let mut gone = core::dequeue(cfg, queue, s, bytes);
    if queue.paused && core::below_xon(cfg, queue.q, *s) {
        gone.resume = true;
        (queue.paused, queue.owed) = (false, false);
    }
    gone
}

/// An empty queue that stays paused because t_PFC is below ResumeOffset.
fn never_negative(cfg: &Cfg, queue: &mut Queue, s: &mut u64, bytes: u64) -> Gone {
    let before = *queue;
    let gone = core::dequeue(cfg, queue, s, bytes);
    let below = core::threshold(cfg, *s) < cfg.resume_offset << 10;
    if gone.resume && cfg.mode == Mode::Dynamic && below {
        (queue.paused, queue.owed) = (before.paused, before.owed);
        return Gone { resume: false, ..gone };
    }
    gone
}

/// An offset that is one byte short.
fn short_offset(cfg: &Cfg, queue: &mut Queue, s: &mut u64, bytes: u64) -> Gone {
    let cfg = Cfg { resume_offset: cfg.resume_offset.saturating_sub(1), ..cfg.clone() };
    core::dequeue(&cfg, queue, s, bytes)
}

/// An underflow that passes unnoticed.
fn silent(cfg: &Cfg, queue: &mut Queue, s: &mut u64, bytes: u64) -> Gone {
    let held = queue.q + queue.h;
    core::dequeue(cfg, queue, s, bytes.min(held))
}

/// A refresh that counts from when it was served.
fn from_now(cfg: &Cfg, queue: &mut Queue, s: u64, now: u64) -> Option<Visit> {
    let made = core::visit(cfg, queue, s, now);
    if made == Some(Visit::Refresh) {
        queue.deadline = cfg.time.add(now, cfg.half);
    }
    made
}

/// A refresh that wins over a resume.
fn refresh_first(cfg: &Cfg, queue: &mut Queue, s: u64, now: u64) -> Option<Visit> {
    if queue.paused && !queue.owed && cfg.time.reached(now, queue.deadline) {
        queue.deadline = cfg.time.add(queue.deadline, cfg.half);
        return Some(Visit::Refresh);
    }
    core::visit(cfg, queue, s, now)
}

/// What is owed is forgotten.
fn forgotten(cfg: &Cfg, queue: &mut Queue, s: u64, now: u64) -> Option<Visit> {
    queue.owed = false;
    core::visit(cfg, queue, s, now)
}

#[test]
fn planted_faults_of_the_core_are_found() {
    let faults = [
        ("t_PFC in whole bytes", Core { enqueue: whole_bytes, ..CORE }),
        ("judged with s before the packet", Core { enqueue: s_before, ..CORE }),
        ("a headroom one byte short", Core { enqueue: early_full, ..CORE }),
        ("a pool one byte short", Core { enqueue: early_pool, ..CORE }),
        ("no limit of the pool in static mode", Core { enqueue: no_limit, ..CORE }),
        ("the pool before the headroom", Core { dequeue: pool_first, ..CORE }),
        ("resumes with headroom left", Core { dequeue: headroom_left, ..CORE }),
        ("t_PFC - ResumeOffset not held at 0", Core { dequeue: never_negative, ..CORE }),
        ("ResumeOffset one byte short", Core { dequeue: short_offset, ..CORE }),
        ("an underflow without a word", Core { dequeue: silent, ..CORE }),
        ("a refresh that counts from now", Core { visit: from_now, ..CORE }),
        ("a refresh before a resume", Core { visit: refresh_first, ..CORE }),
        ("what is owed is forgotten", Core { visit: forgotten, ..CORE }),
    ];
    for (name, core) in faults {
        match run(core, 1_000_000) {
            Err(why) => println!("{name}: {why}"),
            Ok(seen) => panic!("{name}: not noticed, {seen:?}"),
        }
    }
}
