//! The loops that exist for several instruction sets do the same, whatever the numbers.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::eval::simd::{HIDDEN, PairWeights, Path, Row, Sums, WIDTH};

fn row(random: &mut Pcg64Mcg) -> Row {
    Row(std::array::from_fn(|_| random.random()))
}

/// The paths beside the plain one.
fn others() -> Vec<Path> {
    Path::available().into_iter().filter(|&path| path != Path::PLAIN).collect()
}

#[test]
fn plain_is_always_there_and_the_best_path_is_one_of_those_available() {
    let paths = Path::available();
    assert_eq!(paths[0], Path::PLAIN);
    assert_eq!(paths.last(), Some(&Path::best()));
    let mut names: Vec<&str> = paths.iter().map(|path| path.name()).collect();
    println!("{names:?}");
    names.dedup();
    assert_eq!(names.len(), paths.len());
}

/// Sums wrap around alike: nothing saturates on the way.
#[test]
fn rows_are_summed_and_replaced_alike() {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let rows: Vec<Row> = (0..60).map(|_| row(&mut random)).collect();
    for count in 0..=45 {
        let start = row(&mut random);
        let some: Vec<&Row> = (0..count).map(|_| &rows[random.random_range(0..rows.len())]).collect();
        let mut expected = start;
        for row in &some {
            for (sum, weight) in expected.0.iter_mut().zip(row.0) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for path in Path::available() {
            assert_eq!(path.sum(&start, &some), expected, "{} rows, {}", count, path.name());
            // Taken out again in the same way.
            for (out, into) in [(some.as_slice(), [].as_slice()), (&some, &some), (&[], &some)] {
                let mut expected = start;
                for row in out {
                    expected.0.iter_mut().zip(row.0).for_each(|(sum, x)| *sum = sum.wrapping_sub(x));
                }
                for row in into {
                    expected.0.iter_mut().zip(row.0).for_each(|(sum, x)| *sum = sum.wrapping_add(x));
                }
                let mut sum = Row([7; WIDTH]);
                path.replace(&start, out, into, &mut sum);
                assert_eq!(sum, expected, "{} out, {} in, {}", out.len(), into.len(), path.name());
            }
        }
    }
}

#[test]
fn rows_are_clipped_alike() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    for one in [0, 1, 127, 1024, i16::MAX] {
        let mut row = row(&mut random);
        // The corners, wherever the random numbers were.
        for (i, corner) in
            [i16::MIN, -1, 0, 1, one - 1, one, one.saturating_add(1), i16::MAX].iter().enumerate()
        {
            row.0[i * 31] = *corner;
        }
        for path in Path::available() {
            let clipped = path.clip(&row, one);
            for (i, (&before, &after)) in row.0.iter().zip(&clipped.0).enumerate() {
                assert_eq!(after, before.max(0).min(one), "{i}, {}", path.name());
            }
        }
    }
}

/// Inputs from none to all of which are zero, in pairs and alone, for layers of both sizes.
#[test]
fn products_are_summed_alike() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for zeros in 0..=20 {
        for inputs in [WIDTH, HIDDEN] {
            let pairs: Vec<[i16; 2]> = (0..inputs / 2)
                .map(|_| {
                    let mut one =
                        || if random.random_ratio(zeros, 20) { 0 } else { random.random_range(0..=1024) };
                    [one(), one()]
                })
                .collect();
            let weights: Vec<PairWeights> = pairs
                .iter()
                .map(|_| PairWeights(std::array::from_fn(|_| random.random_range(-4_090..=4_090))))
                .collect();
            let start = Sums(std::array::from_fn(|_| random.random_range(-1_000_000..1_000_000)));
            let mut expected = start.0.map(i64::from);
            for (pair, weights) in pairs.iter().zip(&weights) {
                for (unit, sum) in expected.iter_mut().enumerate() {
                    *sum += i64::from(pair[0]) * i64::from(weights.0[2 * unit]);
                    *sum += i64::from(pair[1]) * i64::from(weights.0[2 * unit + 1]);
                }
            }
            for path in Path::available() {
                let mut sums = start;
                path.multiply(&mut sums, &pairs, &weights);
                assert_eq!(sums.0.map(i64::from), expected, "{inputs} inputs, {}", path.name());
            }
        }
    }
}

/// A single input that is not zero, in every place: none is forgotten when the zeros are skipped.
#[test]
fn no_input_is_skipped() {
    for place in 0..WIDTH {
        let mut inputs = vec![[0_i16; 2]; WIDTH / 2];
        inputs[place / 2][place % 2] = 7;
        let weights: Vec<PairWeights> = (0..WIDTH / 2)
            .map(|pair| PairWeights(std::array::from_fn(|i| (pair * 2 + i % 2) as i16 * 8 + i as i16 / 16)))
            .collect();
        let mut expected = Sums([0; HIDDEN]);
        Path::PLAIN.multiply(&mut expected, &inputs, &weights);
        assert!(
            expected
                .0
                .iter()
                .enumerate()
                .all(|(unit, &sum)| { sum == 7 * i32::from(weights[place / 2].0[2 * unit + place % 2]) })
        );
        for path in others() {
            let mut sums = Sums([0; HIDDEN]);
            path.multiply(&mut sums, &inputs, &weights);
            assert_eq!(sums, expected, "input {place}, {}", path.name());
        }
    }
}
