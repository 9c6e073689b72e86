//! See `throng_testkit::fuzz::evidence_json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_testkit::fuzz::evidence_json(data);
});
