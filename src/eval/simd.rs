//! The few loops the network's time goes into, on the widest instructions the machine has.
//!
//! All of it is integer arithmetic without saturation, so every path gives the same result to the bit. The safe
//! door is [`Path`]: a path other than plain exists only where the machine was asked and said yes.

use once_cell::sync::Lazy;

/// Accumulators of a side.
pub const WIDTH: usize = 256;

/// Units of a hidden layer.
pub const HIDDEN: usize = 32;

/// A weight for each accumulator.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(pub [i16; WIDTH]);

/// Weights from two neighbouring inputs to every unit of a hidden layer: those of a unit side by side.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairWeights(pub [i16; 2 * HIDDEN]);

/// A sum for each unit of a hidden layer.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums(pub [i32; HIDDEN]);

/// Which instructions to use. Only [`Path::PLAIN`], [`Path::best`] and [`Path::available`] make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Path {
    /// What every machine can do.
    pub const PLAIN: Self = Self(Kind::Plain);

    /// All paths of this machine, the widest last.
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut paths = vec![Self::PLAIN];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                paths.push(Self(Kind::Avx2));
            }
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
            {
                paths.push(Self(Kind::Avx512));
            }
        }
        paths
    }

    /// The widest path of this machine.
    pub fn best() -> Self {
        static BEST: Lazy<Path> = Lazy::new(|| Path::available().pop().unwrap_or(Path::PLAIN));
        *BEST
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
        }
    }

    /// The sum of `start` and some rows.
    #[inline]
    pub fn sum(self, start: &Row, rows: &[&Row]) -> Row {
        match self.0 {
            Kind::Plain => sum(start, rows),
            // SAFETY: this kind is made only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::sum_avx2(start, rows) },
            // SAFETY: this kind is made only where AVX2 and AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::sum_avx512(start, rows) },
        }
    }

    /// A sum with some rows taken out and others put in.
    #[inline]
    pub fn replace(self, from: &Row, out: &[&Row], into: &[&Row], sum: &mut Row) {
        match self.0 {
            Kind::Plain => replace(from, out, into, sum),
            // SAFETY: this kind is made only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::replace_avx2(from, out, into, sum) },
            // SAFETY: this kind is made only where AVX2 and AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::replace_avx512(from, out, into, sum) },
        }
    }

    /// Clips accumulators to 0 ..= `one`.
    #[inline]
    pub fn clip(self, sums: &Row, one: i16) -> Row {
        match self.0 {
            Kind::Plain => clip(sums, one),
            // SAFETY: this kind is made only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::clip_avx2(sums, one) },
            // SAFETY: this kind is made only where AVX2 and AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::clip_avx512(sums, one) },
        }
    }

    /// Adds the products of inputs and weights to `sums`. Inputs come in pairs, a pair for each of `weights`; pairs
    /// of zeros, of which there are many, cost little.
    #[inline]
    pub fn multiply(self, sums: &mut Sums, inputs: &[[i16; 2]], weights: &[PairWeights]) {
        match self.0 {
            Kind::Plain => multiply(sums, inputs, weights),
            // SAFETY: this kind is made only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { x86::multiply_avx2(sums, inputs, weights) },
            // SAFETY: this kind is made only where AVX2 and AVX-512 F and BW were detected.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { x86::multiply_avx512(sums, inputs, weights) },
        }
    }
}

// The bodies of the simple loops: the compiler makes vector code of them for whatever it is allowed to use.

#[inline(always)]
fn sum(start: &Row, rows: &[&Row]) -> Row {
    /// Summed at once, so that the sums stay in registers.
    const PART: usize = 128;
    let mut total = *start;
    for (part, sums) in total.0.as_chunks_mut::<PART>().0.iter_mut().enumerate() {
        for row in rows {
            for (sum, weight) in sums.iter_mut().zip(&row.0[part * PART..][..PART]) {
                *sum = sum.wrapping_add(*weight);
            }
        }
    }
    total
}

#[inline(always)]
fn replace(from: &Row, out: &[&Row], into: &[&Row], sum: &mut Row) {
    // One pass over the sum for what moves do: one or two rows out, as many in.
    match (out, into) {
        ([a], [b]) => {
            for i in 0..WIDTH {
                sum.0[i] = from.0[i].wrapping_sub(a.0[i]).wrapping_add(b.0[i]);
            }
        }
        ([a, c], [b, d]) => {
            for i in 0..WIDTH {
                let removed = a.0[i].wrapping_add(c.0[i]);
                sum.0[i] = from.0[i].wrapping_sub(removed).wrapping_add(b.0[i]).wrapping_add(d.0[i]);
            }
        }
        _ => {
            *sum = *from;
            for row in out {
                for i in 0..WIDTH {
                    sum.0[i] = sum.0[i].wrapping_sub(row.0[i]);
                }
            }
            for row in into {
                for i in 0..WIDTH {
                    sum.0[i] = sum.0[i].wrapping_add(row.0[i]);
                }
            }
        }
    }
}

#[inline(always)]
fn clip(sums: &Row, one: i16) -> Row {
    Row(sums.0.map(|sum| sum.clamp(0, one)))
}

#[inline(always)]
fn multiply(sums: &mut Sums, inputs: &[[i16; 2]], weights: &[PairWeights]) {
    for (&[a, b], weights) in inputs.iter().zip(weights) {
        if (a, b) != (0, 0) {
            for (sum, &[v, w]) in sums.0.iter_mut().zip(weights.0.as_chunks::<2>().0) {
                *sum += i32::from(a) * i32::from(v) + i32::from(b) * i32::from(w);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{PairWeights, Row, Sums, WIDTH};
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_load_si256,
        _mm256_loadu_si256, _mm256_madd_epi16, _mm256_movemask_ps, _mm256_set1_epi32, _mm256_setzero_si256,
        _mm256_store_si256, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_set1_epi32,
        _mm512_store_si512,
    };

    #[target_feature(enable = "avx2")]
    pub fn sum_avx2(start: &Row, rows: &[&Row]) -> Row {
        super::sum(start, rows)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn sum_avx512(start: &Row, rows: &[&Row]) -> Row {
        super::sum(start, rows)
    }

    #[target_feature(enable = "avx2")]
    pub fn replace_avx2(from: &Row, out: &[&Row], into: &[&Row], sum: &mut Row) {
        super::replace(from, out, into, sum);
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn replace_avx512(from: &Row, out: &[&Row], into: &[&Row], sum: &mut Row) {
        super::replace(from, out, into, sum);
    }

    #[target_feature(enable = "avx2")]
    pub fn clip_avx2(sums: &Row, one: i16) -> Row {
        super::clip(sums, one)
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn clip_avx512(sums: &Row, one: i16) -> Row {
        super::clip(sums, one)
    }

    /// Which bits of a byte are set, one after the other; what follows is of no account.
    static SET_BITS: [[u16; 8]; 256] = {
        let mut table = [[0; 8]; 256];
        let mut byte = 0;
        while byte < 256 {
            let (mut bit, mut count) = (0, 0);
            while bit < 8 {
                if byte >> bit & 1 == 1 {
                    table[byte][count] = bit;
                    count += 1;
                }
                bit += 1;
            }
            byte += 1;
        }
        table
    };

    /// Pairs of inputs a layer may have.
    const MOST_PAIRS: usize = WIDTH / 2;

    /// The pairs that are not zero: skipping the others one by one would be a branch nobody can predict.
    struct Active {
        list: [u16; MOST_PAIRS + 8],
        count: usize,
    }

    impl Active {
        #[target_feature(enable = "avx2")]
        fn of(inputs: &[[i16; 2]]) -> Self {
            debug_assert!(
                inputs.len() <= MOST_PAIRS && inputs.len().is_multiple_of(8),
                "layers have whole groups"
            );
            let mut active = Self { list: [0; MOST_PAIRS + 8], count: 0 };
            for (group, pairs) in inputs[..inputs.len().min(MOST_PAIRS)].as_chunks::<8>().0.iter().enumerate()
            {
                // SAFETY: eight pairs are 32 bytes, and this load needs no alignment.
                let pairs = unsafe { _mm256_loadu_si256(std::ptr::from_ref(pairs).cast()) };
                let zero = _mm256_cmpeq_epi32(pairs, _mm256_setzero_si256());
                let byte = !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u8;
                let places = SET_BITS[usize::from(byte)].map(|bit| bit + 8 * group as u16);
                active.list[active.count..][..8].copy_from_slice(&places);
                active.count += byte.count_ones() as usize;
            }
            active
        }

        fn pairs(&self) -> impl Iterator<Item = usize> {
            self.list[..self.count].iter().map(|&place| usize::from(place))
        }
    }

    fn both([a, b]: [i16; 2]) -> i32 {
        i32::from(b) << 16 | i32::from(a as u16)
    }

    #[target_feature(enable = "avx2")]
    pub fn multiply_avx2(sums: &mut Sums, inputs: &[[i16; 2]], weights: &[PairWeights]) {
        let place = std::ptr::from_mut(sums).cast::<__m256i>();
        // SAFETY: the sums are four vectors long and aligned to 64 bytes.
        let mut sum: [__m256i; 4] = std::array::from_fn(|i| unsafe { _mm256_load_si256(place.add(i)) });
        for at in Active::of(inputs).pairs() {
            let pair = _mm256_set1_epi32(both(inputs[at]));
            let row = std::ptr::from_ref(&weights[at]).cast::<__m256i>();
            for (i, sum) in sum.iter_mut().enumerate() {
                // SAFETY: the weights of a pair are four vectors long and aligned to 64 bytes.
                let weights = unsafe { _mm256_load_si256(row.add(i)) };
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
            }
        }
        for (i, &sum) in sum.iter().enumerate() {
            // SAFETY: as for the loads.
            unsafe { _mm256_store_si256(place.add(i), sum) };
        }
    }

    #[target_feature(enable = "avx2,avx512f,avx512bw")]
    pub fn multiply_avx512(sums: &mut Sums, inputs: &[[i16; 2]], weights: &[PairWeights]) {
        let place = std::ptr::from_mut(sums).cast::<__m512i>();
        // SAFETY: the sums are two vectors long and aligned to 64 bytes.
        let mut sum: [__m512i; 2] = std::array::from_fn(|i| unsafe { _mm512_load_si512(place.add(i)) });
        for at in Active::of(inputs).pairs() {
            let pair = _mm512_set1_epi32(both(inputs[at]));
            let row = std::ptr::from_ref(&weights[at]).cast::<__m512i>();
            for (i, sum) in sum.iter_mut().enumerate() {
                // SAFETY: the weights of a pair are two vectors long and aligned to 64 bytes.
                let weights = unsafe { _mm512_load_si512(row.add(i)) };
                *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(pair, weights));
            }
        }
        for (i, &sum) in sum.iter().enumerate() {
            // SAFETY: as for the loads.
            unsafe { _mm512_store_si512(place.add(i), sum) };
        }
    }
}
