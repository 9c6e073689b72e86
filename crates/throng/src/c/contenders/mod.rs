//! Those who answer questions about C programs, a file each.

mod cegar;
mod explore;
mod houdini;

pub(crate) use cegar::Cegar;
pub(crate) use explore::Explore;
pub(crate) use houdini::Houdini;
