//! See `throng_testkit::fuzz::pl`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_testkit::fuzz::pl(data);
});
