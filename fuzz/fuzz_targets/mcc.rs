//! See `throng_lab::fuzz::mcc`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    throng_lab::fuzz::mcc(data);
});
