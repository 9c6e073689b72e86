//! See `throng_testkit::fuzz::spec`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_testkit::fuzz::spec(data);
});
