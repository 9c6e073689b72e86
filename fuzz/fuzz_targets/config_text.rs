//! See `throng_lab::fuzz::config_text`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::config_text(data);
});
