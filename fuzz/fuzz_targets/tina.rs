//! See `throng_lab::fuzz::tina`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::tina(data);
});
