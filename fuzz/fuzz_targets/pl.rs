//! See `throng_lab::fuzz::pl`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::pl(data);
});
