//! Work on an input that does not end in a verdict, such as writing it in another format or drawing a search: within
//! limits, too, because inputs can be large.

use crate::asked::Asked;
use crate::c::ProgressStyle;
use crate::check;
use crate::console::{self, Colour};
use crate::exit::Exit;
use crate::flags::LimitFlags;
use crate::supervise::{self, Board};
use crate::units;
use std::sync::Arc;
use throng::Error;
use throng_base::{Budget, Diagnostic, StopReason};
use throng_input::Input;
use throng_report::{Cost, Phase, text};

/// What is left to show of a run that ended.
#[derive(Debug)]
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) cost: Cost,
    pub(crate) exit: Exit,
}

/// Shows what is left, and what it cost if that is wanted.
pub(crate) fn show(printed: Result<Printed, Exit>, with_cost: bool) -> Exit {
    let Printed { text, cost, exit } = match printed {
        Ok(printed) => printed,
        Err(exit) => return exit,
    };
    if with_cost {
        let memory = cost.memory.map(|memory| format!(", {}", units::show_size(memory)));
        let time = units::show_duration(cost.elapsed);
        console::remark(&format!("cost: {time}{}", memory.unwrap_or_default()));
    }
    console::print(&text);
    exit
}

/// Reads a system, or a Boolean program as one, shows its warnings and returns what `render` makes of it; `Err` after having said why there is
/// nothing. Must be called once per process, see [`supervise::attend`].
pub(crate) fn with_input<T: Send + 'static>(
    asked: Asked,
    limits: &LimitFlags,
    colour: Colour,
    render: impl FnOnce(&throng_formats::Input, &Budget, &Board) -> Result<T, Error> + Send + 'static,
) -> Result<T, Exit> {
    let read = move |budget: &Budget| asked.read_system(budget).map(Input::System);
    let render = move |input: &Input, budget: &Budget, board: &Board| match input {
        Input::System(input) => render(input, budget, board),
        Input::Program(_) | Input::C(_) => Err(Error::internal("a program where a system was read")),
    };
    with(read, limits, colour, render, |_, _, _| None)
}

/// The same for a system or a program.
pub(crate) fn with_any_input<T: Send + 'static>(
    asked: Asked,
    limits: &LimitFlags,
    colour: Colour,
    render: impl FnOnce(&Input, &Budget, &Board) -> Result<T, Error> + Send + 'static,
) -> Result<T, Exit> {
    with(
        move |budget: &Budget| asked.read(budget).map_err(Error::Refused),
        limits,
        colour,
        render,
        |_, _, _| None,
    )
}

/// The same. Should the work not end in time, `rescue` tells what there is to show nevertheless.
pub(crate) fn with_any_input_or<T: Send + 'static>(
    asked: Asked,
    limits: &LimitFlags,
    colour: Colour,
    render: impl FnOnce(&Input, &Budget, &Board) -> Result<T, Error> + Send + 'static,
    rescue: impl FnOnce(&Input, StopReason, Phase) -> Option<T>,
) -> Result<T, Exit> {
    with(move |budget: &Budget| asked.read(budget).map_err(Error::Refused), limits, colour, render, rescue)
}

/// Has anything done within limits that ends in something to show or in errors. `Err` after having said why there is
/// nothing. Must be called once per process, see [`supervise::attend`].
pub(crate) fn attended<T: Send + 'static>(
    limits: &LimitFlags,
    colour: Colour,
    work: impl FnOnce(&Budget, &Board) -> Result<T, Vec<Diagnostic>> + Send + 'static,
) -> Result<T, Exit> {
    let board = Arc::new(Board::new(ProgressStyle::unless(limits.quiet)));
    let attended = supervise::attend(limits.limits(), &board, move |budget, board| {
        work(budget, board).map_err(Error::Refused)
    });
    match attended {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(reason)) => {
            console::error(&text::why_unknown(&reason.into(), board.phase()));
            Err(Exit::Unknown)
        }
        Err(failure) => Err(check::fail(&failure, false, colour)),
    }
}

fn with<T: Send + 'static>(
    read: impl FnOnce(&Budget) -> Result<Input, Error> + Send + 'static,
    limits: &LimitFlags,
    colour: Colour,
    render: impl FnOnce(&Input, &Budget, &Board) -> Result<T, Error> + Send + 'static,
    rescue: impl FnOnce(&Input, StopReason, Phase) -> Option<T>,
) -> Result<T, Exit> {
    let board = Arc::new(Board::new(ProgressStyle::unless(limits.quiet)));
    let attended = supervise::attend(limits.limits(), &board, move |budget, board| {
        let input = board.show_input(read(budget)?);
        if !input.fits(budget) {
            return Err(Error::Refused(Vec::new()));
        }
        board.enter(Phase::Rendering);
        render(&input, budget, board)
    });
    if let Some(input) = board.input().filter(|_| !limits.quiet) {
        console::diagnose(input.warnings(), colour);
    }
    match attended {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(reason)) => {
            let rescued = board.input().and_then(|input| rescue(&input, reason, board.phase()));
            if let Some(rescued) = rescued {
                return Ok(rescued);
            }
            let why = text::why_unknown(&reason.into(), board.phase());
            console::error(&format!("{why}; nothing was written"));
            Err(Exit::Unknown)
        }
        Err(failure) => Err(check::fail(&failure, false, colour)),
    }
}
