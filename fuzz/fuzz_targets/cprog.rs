//! See `throng_testkit::fuzz::cprog`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_testkit::fuzz::cprog(data);
});
