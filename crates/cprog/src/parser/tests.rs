//! Tests of the parser as a whole.
