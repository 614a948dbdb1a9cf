//! The network once more, slowly: wide integers, one number at a time, features worked out from the board by hand.
//! Nothing here shares code with `src/eval` but the list of the numbers.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::eval::network::{ACCUMULATORS, HIDDEN, PlainNetwork, SHAPE};
use tenbin::eval::weights;
use tenbin::shogi::{Color, HandPiece, Kind, Piece, Position, Square};

/// The file that comes with the program.
pub static EMBEDDED: &[u8] = include_bytes!("../../weights/value.bin");

/// Number of features.
pub const INPUTS: usize = 90 + 81 * 20;

/// What `viewer` sees: (whose, what, where) with the board turned so that he plays upwards.
pub fn seen(position: &Position, viewer: Color) -> Vec<usize> {
    let mut list = Vec::new();
    for square in Square::iter() {
        let piece = position.piece_on(square);
        if piece == Piece::NONE {
            continue;
        }
        let class = match piece.piece_type() {
            Kind::PAWN => 0,
            Kind::LANCE => 1,
            Kind::KNIGHT => 2,
            Kind::SILVER => 3,
            Kind::BISHOP => 5,
            Kind::HORSE => 6,
            Kind::ROOK => 7,
            Kind::DRAGON => 8,
            Kind::KING => 9,
            _ => 4,
        };
        let whose = usize::from(piece.color() != viewer);
        let place = if viewer == Color::Black { square.raw() as usize } else { 80 - square.raw() as usize };
        list.push(90 + (class * 2 + whose) * 81 + place);
    }
    for side in [Color::Black, Color::White] {
        let whose = usize::from(side != viewer);
        // Pawns, lances, knights, silvers, bishops, rooks, golds: where the first of each kind would be number 1.
        let kinds = [
            (HandPiece::PAWN, 0),
            (HandPiece::LANCE, 19),
            (HandPiece::KNIGHT, 24),
            (HandPiece::SILVER, 29),
            (HandPiece::BISHOP, 34),
            (HandPiece::ROOK, 37),
            (HandPiece::GOLD, 40),
        ];
        for (kind, begin) in kinds {
            for number in 1..=position.hand(side).count(kind) as usize {
                list.push(whose * 45 + begin + number);
            }
        }
    }
    list
}

/// The value of a position for the side to move.
pub fn value(numbers: &PlainNetwork, position: &Position) -> i32 {
    let us = position.turn();
    let mut inputs = Vec::new();
    for viewer in [us, us.flip()] {
        let features = seen(position, viewer);
        for unit in 0..ACCUMULATORS {
            let mut sum = i64::from(numbers.feature_bias[unit]);
            for feature in &features {
                sum += i64::from(numbers.features[feature * ACCUMULATORS + unit]);
            }
            inputs.push(sum.clamp(0, 1024));
        }
    }
    let hidden = layer(&inputs, &numbers.first, &numbers.first_bias);
    let hidden = layer(&hidden, &numbers.second, &numbers.second_bias);
    let mut sum = i64::from(numbers.output_bias);
    for (input, &weight) in hidden.iter().zip(&numbers.output) {
        sum += input * i64::from(weight);
    }
    // 1.0 is 600 centipawns; rounded down.
    let centipawns = (sum * 600).div_euclid(1024 * 4096);
    centipawns.clamp(-20_000, 20_000) as i32
}

/// A hidden layer: sums of products, brought back to the scale of the inputs, rounded and clipped.
fn layer(inputs: &[i64], weights: &[i16], biases: &[i32]) -> Vec<i64> {
    let mut outputs = Vec::new();
    for (unit, &bias) in biases.iter().enumerate() {
        let mut sum = i64::from(bias);
        for (i, input) in inputs.iter().enumerate() {
            sum += input * i64::from(weights[i * biases.len() + unit]);
        }
        outputs.push((sum + 2048).div_euclid(4096).clamp(0, 1024));
    }
    outputs
}

/// The numbers of a file, in the order it has them.
pub fn read(bytes: &[u8]) -> PlainNetwork {
    let data = weights::decode(bytes, SHAPE).expect("a sound file").data;
    let mut at = 0;
    let mut take = |count: usize, size: usize| {
        at += count * size;
        &data[at - count * size..at]
    };
    let shorts = |bytes: &[u8]| bytes.chunks(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
    let longs = |bytes: &[u8]| -> Vec<i32> {
        bytes.chunks(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    };
    PlainNetwork {
        features: shorts(take(INPUTS * ACCUMULATORS, 2)),
        feature_bias: shorts(take(ACCUMULATORS, 2)),
        first: shorts(take(2 * ACCUMULATORS * HIDDEN, 2)),
        first_bias: longs(take(HIDDEN, 4)),
        second: shorts(take(HIDDEN * HIDDEN, 2)),
        second_bias: longs(take(HIDDEN, 4)),
        output: shorts(take(HIDDEN, 2)),
        output_bias: longs(take(1, 4))[0],
        progress: shorts(take(INPUTS + 1, 2)),
    }
}

/// How large the numbers of a random network are.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub features: i16,
    pub feature_bias: i16,
    pub first: i16,
    pub second: i16,
    pub output: i16,
    pub bias: i32,
}

/// Numbers like those of a learned network: most units are neither at 0 nor at 1.
pub const USUAL: Size =
    Size { features: 60, feature_bias: 300, first: 500, second: 3_000, output: 8_000, bias: 500_000 };

/// About the largest that are accepted: sums run through nearly all that 16 and 32 bits can hold.
pub const LARGE: Size =
    Size { features: 780, feature_bias: 7, first: 4_090, second: 32_767, output: 32_767, bias: 2_000_000 };

/// A network of random numbers.
pub fn random(seed: u64, size: Size) -> PlainNetwork {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut shorts = |count: usize, most: i16| -> Vec<i16> {
        (0..count).map(|_| random.random_range(-most..=most)).collect()
    };
    let (features, feature_bias) =
        (shorts(INPUTS * ACCUMULATORS, size.features), shorts(ACCUMULATORS, size.feature_bias));
    let first = shorts(2 * ACCUMULATORS * HIDDEN, size.first);
    let (second, output) = (shorts(HIDDEN * HIDDEN, size.second), shorts(HIDDEN, size.output));
    let progress = shorts(INPUTS + 1, 500);
    let mut longs = |count: usize| -> Vec<i32> {
        (0..count).map(|_| random.random_range(-size.bias..=size.bias)).collect()
    };
    PlainNetwork {
        features,
        feature_bias,
        first,
        first_bias: longs(HIDDEN),
        second,
        second_bias: longs(HIDDEN),
        output,
        output_bias: longs(1)[0],
        progress,
    }
}
