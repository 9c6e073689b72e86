//! See `throng_lab::fuzz::evidence_json`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::evidence_json(data);
});
