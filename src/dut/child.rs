//! RTL in a process of its own. Frames of machine words go over its stdin and stdout, one thread
//! for each direction, so that neither side waits for a full pipe of the other.

use super::ledger::{Ledger, Progress};
use super::{During, Dut, DutEnd, End, RESET_CYCLES, Start, check_cfg, init_limit, rows};
use congruent_ports::Layout;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Batches that may be submitted and not yet collected.
pub const IN_FLIGHT: usize = 4;

/// Rows of one frame of [`Dut::steps`].
const ROWS_A_FRAME: usize = 4096;

/// As in child.cpp.
const MAGIC: u32 = 0x5247_4e43;
const VERSION: u32 = 2;
const HELLO_BYTES: usize = 24;
const REPLY_BYTES: usize = 24;

/// What is kept of the process's stderr.
const STDERR_TAIL: usize = 16 * 1024;

#[derive(Clone, Copy)]
enum Op {
    Configure = 1,
    Reset = 2,
    Step = 3,
    Finish = 4,
    Trace = 5,
}

struct Request {
    op: Op,
    a: u32,
    b: u64,
    words: Vec<u64>,
}

struct Reply {
    status: u32,
    /// Whether the last of the rows is the one in which the model ended.
    in_last: bool,
    rows: u64,
    words: Vec<u64>,
    text: String,
}

/// Settings of a child process.
#[derive(Debug, Clone)]
pub struct ChildOptions {
    /// How long the process may make no progress, not a single row, before it counts as hung.
    pub timeout: Duration,
    /// Plusargs for the RTL (`$value$plusargs`, `$test$plusargs`), each with its `+`: `+bug=7`.
    pub plusargs: Vec<String>,
    /// Cycles for which reset is asserted.
    pub reset_cycles: u32,
}

impl Default for ChildOptions {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(30), plusargs: vec![], reset_cycles: RESET_CYCLES }
    }
}

/// Rows that a child has stepped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Output words of the rows, end to end.
    pub outputs: Vec<u64>,
    /// How many rows were stepped.
    pub rows: usize,
}

/// A model in a process of its own.
pub struct Child {
    layout: Layout,
    process: std::process::Child,
    requests: Option<Sender<Request>>,
    replies: Receiver<io::Result<Reply>>,
    stderr: Stderr,
    ledger: Ledger,
    timeout: Duration,
    reset_cycles: u32,
    /// Requests whose replies were read, and requests that were sent after them.
    answered: u64,
    in_flight: usize,
    text: String,
    /// Why it can no longer be used.
    ended: Option<End>,
}

impl Child {
    /// Starts a program that was built as [`congruent_verilate::Kind::Executable`] from `layout`.
    ///
    /// # Errors
    /// It cannot be started, dies at once, or was built from another layout.
    pub fn start(
        program: &Path,
        layout: Layout,
        start: Start,
        options: &ChildOptions,
    ) -> Result<Self, DutEnd> {
        let cannot =
            |why: String| DutEnd::new(End::Start { path: program.display().to_string(), why });
        let (fill, seed) = start.code();
        let ledger = Ledger::new().map_err(|e| cannot(format!("no file for its rows: {e}")))?;
        let mut process = Command::new(program)
            .args([fill.to_string(), seed.to_string()])
            .arg(ledger.path())
            .args(&options.plusargs)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C is for this process; the child ends when its pipes do.
            .process_group(0)
            .spawn()
            .map_err(|e| cannot(e.to_string()))?;
        let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(cannot("it has no pipes".into()));
        };
        // Room for all that may be in flight: neither thread ever waits for the caller.
        let (requests, to_write) = bounded::<Request>(IN_FLIGHT);
        let (answers, replies) = bounded(IN_FLIGHT + 1);
        let (hello_out, hello_in) = bounded(1);
        thread::spawn(move || write_requests(stdin, &to_write));
        thread::spawn(move || read_replies(stdout, &hello_out, &answers));
        let mut child = Self {
            layout,
            process,
            requests: Some(requests),
            replies,
            stderr: Stderr::follow(stderr),
            ledger,
            timeout: options.timeout,
            reset_cycles: options.reset_cycles,
            answered: 0,
            in_flight: 0,
            text: String::new(),
            ended: None,
        };
        let hello = match hello_in.recv_timeout(child.timeout) {
            Ok(Ok(hello)) => hello,
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(child.died()),
            Err(RecvTimeoutError::Timeout) => return Err(child.hung()),
        };
        child.ledger.opened();
        let layout = &child.layout;
        let expected = [
            MAGIC,
            VERSION,
            layout.cfg.len() as u32,
            layout.inputs.len() as u32,
            layout.outputs.len() as u32,
        ];
        if hello[..5] != expected {
            let what = format!(
                "it greets with {:?} words of cfg, inputs and outputs, {:?} are expected",
                &hello[2..5],
                &expected[2..5]
            );
            return Err(child.end(End::Protocol { what }));
        }
        Ok(child)
    }

    /// Hands over rows to be stepped and does not wait; at most [`IN_FLIGHT`] batches may be under
    /// way. Once a batch is refused (`until_refusal`), later ones are stepped all the same.
    ///
    /// # Errors
    /// The model has ended, the rows do not fit the layout, or too many batches are under way.
    pub fn submit(&mut self, inputs: &[u64], until_refusal: bool) -> Result<(), DutEnd> {
        let width = self.layout.inputs.len().max(1);
        if !inputs.len().is_multiple_of(width) {
            let expected = inputs.len() / width * width;
            return Err(DutEnd::shape("input words", inputs.len(), expected));
        }
        let rows = inputs.len() / width;
        let Ok(a) = u32::try_from(rows) else {
            return Err(DutEnd::shape("rows", rows, u32::MAX as usize));
        };
        self.send(Op::Step, a, until_refusal.into(), inputs.to_vec())
    }

    /// Waits for the oldest batch that was submitted.
    ///
    /// # Errors
    /// The model ended in it, [`DutEnd::rows`] rows in; or the process died or hangs; or nothing is
    /// under way.
    pub fn collect(&mut self) -> Result<Batch, DutEnd> {
        let (batch, end) = self.collect_batch()?;
        match end {
            None => Ok(batch),
            Some(end) => Err(end),
        }
    }

    /// The batch also where the model ended in it, however it did.
    fn collect_batch(&mut self) -> Result<(Batch, Option<DutEnd>), DutEnd> {
        let width = self.layout.outputs.len();
        match self.receive() {
            Ok(reply) => {
                let rows = reply.rows as usize;
                if reply.words.len() != rows * width {
                    let what = format!("{} output words for {rows} rows", reply.words.len());
                    return Err(self.end(End::Protocol { what }));
                }
                let end = DutEnd::from_status(reply.status, 0).map(|end| {
                    let row = rows - usize::from(reply.in_last);
                    DutEnd { rows, row, ..self.end(end) }
                });
                Ok((Batch { outputs: reply.words, rows }, end))
            }
            // The process is gone. Its ledger is not.
            Err(end) if end.during == During::Run && end.rows > 0 => {
                let outputs = self.ledger.outputs(end.rows * width);
                let rows = outputs.len() / width.max(1);
                Ok((Batch { outputs, rows }, Some(DutEnd { rows, ..end })))
            }
            Err(end) => Err(end),
        }
    }

    fn send(&mut self, op: Op, a: u32, b: u64, words: Vec<u64>) -> Result<(), DutEnd> {
        if let Some(end) = &self.ended {
            return Err(DutEnd::new(end.clone()));
        }
        if self.in_flight == IN_FLIGHT {
            return Err(DutEnd::shape("batches under way", IN_FLIGHT + 1, IN_FLIGHT));
        }
        let request = Request { op, a, b, words };
        let sent = self.requests.as_ref().is_some_and(|r| r.send(request).is_ok());
        if !sent {
            // The writer is gone: so is the process.
            return Err(self.died());
        }
        self.in_flight += 1;
        Ok(())
    }

    fn receive(&mut self) -> Result<Reply, DutEnd> {
        if self.in_flight == 0 {
            return Err(match &self.ended {
                Some(end) => DutEnd::new(end.clone()),
                None => DutEnd::shape("batches under way", 0, 1),
            });
        }
        match self.wait_for_reply() {
            Ok(Ok(reply)) => {
                self.in_flight -= 1;
                self.answered += 1;
                self.text += &reply.text;
                Ok(reply)
            }
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Err(self.end(End::Protocol { what: error.to_string() }))
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.died()),
            Err(RecvTimeoutError::Timeout) => Err(self.hung()),
        }
    }

    /// Waits as long as rows are being done. Looks that find none are counted, not the time between
    /// them: this process may itself have been stopped for a while.
    fn wait_for_reply(&mut self) -> Result<io::Result<Reply>, RecvTimeoutError> {
        const LOOKS: u32 = 4;
        let mut seen = self.ledger.progress();
        let mut in_vain = 0;
        loop {
            match self.replies.recv_timeout(self.timeout / LOOKS) {
                Err(RecvTimeoutError::Timeout) => {
                    let now = self.ledger.progress();
                    in_vain = if now == seen { in_vain + 1 } else { 0 };
                    seen = now;
                    if in_vain == LOOKS {
                        return Err(RecvTimeoutError::Timeout);
                    }
                }
                other => return other,
            }
        }
    }

    /// Sends one request and waits for its answer, with nothing else under way.
    fn ask(&mut self, op: Op, a: u32, b: u64, words: Vec<u64>) -> Result<Reply, DutEnd> {
        while self.in_flight > 0 {
            self.receive()?;
        }
        self.send(op, a, b, words)?;
        let reply = self.receive()?;
        match DutEnd::from_status(reply.status, b) {
            None => Ok(reply),
            Some(end) => Err(self.end(end)),
        }
    }

    /// Notes the end, and how far the model was. A block that is not ready still runs.
    fn end(&mut self, end: End) -> DutEnd {
        if !matches!(end, End::NotReady { .. }) {
            self.ended = Some(end.clone());
        }
        let Progress { phase, rows, .. } = self.ledger.progress();
        let (during, rows) = match phase {
            2 => (During::Reset(Some(rows)), 0),
            3 => (During::Init(rows), 0),
            4 => (During::Run, rows as usize),
            5 => (During::Final, 0),
            _ => (During::Start, 0),
        };
        DutEnd { end, during, text: self.take_text(), rows, row: rows }
    }

    /// The process is gone or was stopped: what it was doing is in its ledger.
    fn gone(&mut self, end: End) -> DutEnd {
        let at = self.ledger.progress();
        if at.frame == self.answered + 1 {
            self.text += &self.ledger.text();
        }
        self.text += &self.stderr.tail();
        let mut end = self.end(end);
        // It had not begun with what was asked for.
        if at.frame != self.answered + 1 && self.in_flight > 0 {
            (end.rows, end.row) = (0, 0);
        }
        self.in_flight = 0;
        end
    }

    /// The process has closed its pipes: finds out how it ended.
    fn died(&mut self) -> DutEnd {
        let end = match self.wait(Duration::from_secs(2)) {
            Some(status) => end_of(status),
            None => {
                self.kill();
                End::Died { how: "closed its pipes and did not end; it was stopped".into() }
            }
        };
        self.gone(end)
    }

    fn hung(&mut self) -> DutEnd {
        self.kill();
        self.gone(End::Hung { limit: self.timeout })
    }

    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Ok(Some(status)) = self.process.try_wait() {
                return Some(status);
            }
            if start.elapsed() > limit {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn kill(&mut self) {
        // Either fails only if the process is gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.requests = None;
        self.kill();
    }
}

impl Dut for Child {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn configure(&mut self, cfg: &[u64]) -> Result<(), DutEnd> {
        check_cfg(&self.layout, cfg)?;
        self.ask(Op::Configure, 0, 0, cfg.to_vec()).map(drop)
    }

    fn reset_longer(&mut self, more: u32) -> Result<(), DutEnd> {
        self.ask(Op::Reset, self.reset_cycles + more, init_limit(), Vec::new()).map(drop)
    }

    /// A round trip to the process: batches are far cheaper.
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        if outputs.len() != self.layout.outputs.len() {
            let expected = self.layout.outputs.len();
            return Err(DutEnd::shape("output words", outputs.len(), expected));
        }
        self.steps(inputs, outputs, false).map(|_| ())
    }

    fn steps(
        &mut self,
        inputs: &[u64],
        outputs: &mut [u64],
        until_refusal: bool,
    ) -> Result<usize, DutEnd> {
        let rows = rows(&self.layout, inputs, outputs)?;
        let (width_in, width_out) = (self.layout.inputs.len(), self.layout.outputs.len());
        // What follows a refusal must not be stepped before the caller has seen it.
        let ahead = if until_refusal { 1 } else { IN_FLIGHT };
        let (mut submitted, mut done) = (0, 0);
        let mut waiting: VecDeque<usize> = VecDeque::new();
        loop {
            while waiting.len() < ahead && submitted < rows {
                let count = ROWS_A_FRAME.min(rows - submitted);
                let words = &inputs[submitted * width_in..(submitted + count) * width_in];
                self.submit(words, until_refusal).map_err(|e| e.after(done))?;
                submitted += count;
                waiting.push_back(count);
            }
            let Some(asked) = waiting.pop_front() else { return Ok(done) };
            let (batch, end) = self.collect_batch().map_err(|e| e.after(done))?;
            if batch.rows > asked {
                let what = format!("{} rows stepped of {asked}", batch.rows);
                return Err(self.end(End::Protocol { what }).after(done));
            }
            let at = done * width_out;
            outputs[at..at + batch.outputs.len()].copy_from_slice(&batch.outputs);
            if let Some(end) = end {
                // Batches behind it come back empty.
                self.in_flight = 0;
                return Err(end.after(done));
            }
            done += batch.rows;
            if batch.rows < asked {
                return Ok(done);
            }
        }
    }

    fn trace(&mut self, file: Option<&Path>) -> Result<(), DutEnd> {
        let path = file.map_or(vec![], |file| file.as_os_str().as_encoded_bytes().to_vec());
        let words = path.chunks(8).map(|part| {
            let mut bytes = [0; 8];
            bytes[..part.len()].copy_from_slice(part);
            u64::from_ne_bytes(bytes)
        });
        let reply = self.ask(Op::Trace, path.len() as u32, 0, words.collect())?;
        match (reply.rows, file) {
            (0, Some(file)) => Err(DutEnd::no_trace(file)),
            _ => Ok(()),
        }
    }

    fn take_text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    fn finish(&mut self) -> Result<(), DutEnd> {
        self.ask(Op::Finish, 0, 0, Vec::new())?;
        self.requests = None;
        self.ended = Some(End::Finish);
        if self.wait(self.timeout).is_none() {
            return Err(self.hung());
        }
        Ok(())
    }
}

/// The last of what a process writes to its stderr.
struct Stderr {
    tail: Arc<Mutex<VecDeque<u8>>>,
    reader: thread::JoinHandle<()>,
}

impl Stderr {
    fn follow(mut stderr: impl Read + Send + 'static) -> Self {
        let tail = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&tail);
        let reader = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut buffer) {
                let mut tail = kept.lock().unwrap_or_else(PoisonError::into_inner);
                tail.extend(&buffer[..count]);
                let excess = tail.len().saturating_sub(STDERR_TAIL);
                tail.drain(..excess);
            }
        });
        Self { tail, reader }
    }

    fn tail(&self) -> String {
        // The process has ended; what it wrote last may still be on its way.
        for _ in 0..100 {
            if self.reader.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let mut tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(tail.make_contiguous()).into_owned();
        tail.clear();
        text
    }
}

fn write_requests(mut stdin: impl Write, requests: &Receiver<Request>) {
    let mut frame = Vec::new();
    for request in requests {
        frame.clear();
        frame.extend((request.op as u32).to_ne_bytes());
        frame.extend(request.a.to_ne_bytes());
        frame.extend(request.b.to_ne_bytes());
        frame.extend(request.words.iter().flat_map(|w| w.to_ne_bytes()));
        // A process that is gone shows on the reading side, with its status.
        if stdin.write_all(&frame).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

type Hello = [u32; 6];

fn read_replies(
    stdout: impl Read,
    hello: &Sender<io::Result<Hello>>,
    replies: &Sender<io::Result<Reply>>,
) {
    let mut stdout = io::BufReader::with_capacity(1 << 16, stdout);
    let greeting = read_hello(&mut stdout);
    let failed = greeting.is_err();
    if hello.send(greeting).is_err() || failed {
        return;
    }
    loop {
        let reply = read_reply(&mut stdout);
        let failed = reply.is_err();
        if replies.send(reply).is_err() || failed {
            return;
        }
    }
}

fn read_hello(stdout: &mut impl Read) -> io::Result<Hello> {
    let mut bytes = [0; HELLO_BYTES];
    stdout.read_exact(&mut bytes)?;
    let mut hello = [0; 6];
    for (word, bytes) in hello.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    Ok(hello)
}

fn read_reply(stdout: &mut impl Read) -> io::Result<Reply> {
    // More than any batch or print: the process does not speak our language.
    const WORDS_LIMIT: u64 = 1 << 32;
    const TEXT_LIMIT: u32 = 1 << 24;
    let mut head = [0; REPLY_BYTES];
    stdout.read_exact(&mut head)?;
    let mut words = head.chunks_exact(8).map(word);
    let first = words.next().unwrap_or(0).to_ne_bytes();
    let [status, in_last, ..] = first.map(u32::from);
    let text = u32::from_ne_bytes([first[4], first[5], first[6], first[7]]);
    let rows = words.next().unwrap_or(0);
    let count = words.next().unwrap_or(0);
    if count > WORDS_LIMIT || text > TEXT_LIMIT {
        let what = format!("a reply of {count} words and {text} bytes of text");
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    let mut bytes = Vec::new();
    stdout.take(count * 8).read_to_end(&mut bytes)?;
    let mut said = Vec::new();
    stdout.take(text.into()).read_to_end(&mut said)?;
    if bytes.len() as u64 != count * 8 || said.len() as u64 != u64::from(text) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let words = bytes.chunks_exact(8).map(word).collect();
    Ok(Reply {
        status,
        in_last: in_last == 1,
        rows,
        words,
        text: String::from_utf8_lossy(&said).into_owned(),
    })
}

pub(super) fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(bytes);
    u64::from_ne_bytes(word)
}

fn end_of(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(status), _) => End::Exited { status },
        (None, Some(signal)) => End::Crashed { signal },
        (None, None) => End::Died { how: format!("ended: {status}") },
    }
}
