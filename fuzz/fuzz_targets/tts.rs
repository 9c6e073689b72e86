//! See `throng_lab::fuzz::tts`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::tts(data);
});
