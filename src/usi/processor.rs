//! What a player should know about the executable and the processor it runs on.

/// That the other executable of the package would run here, and faster.
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
pub fn advice() -> Option<&'static str> {
    // What x86-64-v3 has beyond v2; one missing would end the other executable in its first second.
    let all = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("f16c")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("lzcnt")
        && std::is_x86_feature_detected!("movbe");
    all.then_some("this processor has AVX2: tenbin-avx2 runs here too and is faster")
}

/// This executable is the faster one.
#[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
pub fn advice() -> Option<&'static str> {
    None
}
