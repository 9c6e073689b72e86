//! See `throng_testkit::fuzz::config_text`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_testkit::fuzz::config_text(data);
});
