//! Random walks, for errors that are deep or need many threads: a breadth-first search comes to these late.
//!
//! A walk runs one thread after the other, mostly the same one again. It keeps no states, finds no shortest way, and proves
//! nothing; the numbers are random but the same each time.

use crate::canon::{self, Canon, HEAD};
use crate::explore::moment_at;
use crate::machine::{Ending, Machine};
use crate::witness::Chain;
use throng_base::StopReason;

/// Random numbers and what is kept from walk to walk.
#[derive(Debug)]
pub(crate) struct Walker {
    state: u64,
}

impl Default for Walker {
    fn default() -> Self {
        Self { state: 0x9E37_79B9_7F4A_7C15 }
    }
}

/// Where a walk is: a packed state, and the place of the thread that ran last.
struct Position {
    packed: Vec<u32>,
    last: usize,
}

/// What a run did.
enum Move {
    To(Position),
    Error,
    Blocked,
}

impl Walker {
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound as u64) as usize
    }

    /// Walks with up to so many threads until so many runs are done; returns the chain to an error, if one is reached.
    pub(crate) fn walk(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        n_threads: usize,
        n_runs: usize,
    ) -> Result<Option<Chain>, StopReason> {
        machine.limit = n_threads;
        let mut left = n_runs;
        while left > 0 {
            let longest = (64 << self.below(7)).min(left);
            let (chain, is_error) = self.walk_once(machine, canon, longest)?;
            machine.may_need_more = false;
            if is_error {
                return Ok(Some(chain));
            }
            left -= (chain.len() + 1).min(left);
        }
        Ok(None)
    }

    fn walk_once(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        longest: usize,
    ) -> Result<(Chain, bool), StopReason> {
        let mut chain = Chain::new();
        let (start, _) = machine.start();
        let mut here = match machine.run(start, false)? {
            Ending::Error(_) => return Ok((chain, true)),
            Ending::Done => match self.choose(machine, canon, 0) {
                Some(position) => position,
                None => return Ok((chain, false)),
            },
        };
        let patience = 1 << (1 + 2 * self.below(3));
        while chain.len() < longest {
            machine.budget().check()?;
            let mut threads = steppers(machine, &here.packed[HEAD..]);
            let stays = self.below(patience) != 0;
            loop {
                if threads.is_empty() {
                    return Ok((chain, false));
                }
                let at = match threads.iter().position(|&place| place == here.last && stays) {
                    Some(at) => at,
                    None => self.below(threads.len()),
                };
                let place = threads.swap_remove(at);
                match self.step(machine, canon, &here.packed, place)? {
                    Move::Blocked => {}
                    Move::Error => {
                        chain.push((here.packed, place as u32));
                        return Ok((chain, true));
                    }
                    Move::To(next) => {
                        chain.push((std::mem::replace(&mut here, next).packed, place as u32));
                        break;
                    }
                }
            }
        }
        Ok((chain, false))
    }

    fn step(
        &mut self,
        machine: &mut Machine,
        canon: &mut Canon,
        packed: &[u32],
        place: usize,
    ) -> Result<Move, StopReason> {
        let moment = moment_at(machine, canon, packed, place);
        Ok(match machine.run(moment, true)? {
            Ending::Error(_) => Move::Error,
            Ending::Done => self.choose(machine, canon, place).map_or(Move::Blocked, Move::To),
        })
    }

    /// One of the results of the last run.
    fn choose(&mut self, machine: &mut Machine, canon: &mut Canon, place: usize) -> Option<Position> {
        let mut results = canon::parts(machine);
        if results.is_empty() {
            return None;
        }
        let mut moment = results.swap_remove(self.below(results.len()));
        let mut packed = Vec::new();
        let order = canon.pack(machine, &mut moment, &mut packed);
        let last = order.iter().position(|&old| old as usize == place).unwrap_or(0);
        machine.recycle(moment);
        results.into_iter().for_each(|other| machine.recycle(other));
        Some(Position { packed, last })
    }
}

/// The places of threads that may take steps.
fn steppers(machine: &Machine, threads: &[u32]) -> Vec<usize> {
    let point = |place: usize| machine.compiled.points[machine.rows.get(threads[place])[0] as usize];
    let atomic: Vec<usize> = (0..threads.len()).filter(|&place| point(place).is_atomic).collect();
    let all = (0..threads.len()).filter(|&place| point(place).steps.1 > 0);
    all.filter(|place| atomic.iter().all(|other| other == place)).collect()
}
