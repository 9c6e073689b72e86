//! See `throng_testkit::fuzz::tina`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_testkit::fuzz::tina(data);
});
