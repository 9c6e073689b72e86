//! Those who answer questions about C programs, a file each.

mod cegar;
mod exact;
mod explore;
mod houdini;
mod pdr;

pub(crate) use cegar::Cegar;
pub(crate) use exact::Exact;
pub(crate) use explore::{Explore, shorter};
pub(crate) use houdini::Houdini;
pub(crate) use pdr::Pdr;
