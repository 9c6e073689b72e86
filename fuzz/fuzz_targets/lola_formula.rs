//! See `throng_lab::fuzz::lola_formula`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::lola_formula(data);
});
