//! Files of weights: what is wrong with one is told, and nothing in one can make the program fall over.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use tenbin::eval::network::{ACCUMULATORS, Network, PlainNetwork, SHAPE};
use tenbin::eval::weights::{Shape, WeightsError, decode, encode, write_file};

use super::Folder;
use super::reference::{self, EMBEDDED, LARGE, USUAL};

/// Bytes before the provenance.
const HEADER: usize = 52;

/// Where the fields of the header begin.
const KIND: usize = 8;
const VERSION: usize = 20;
const DIMENSIONS: usize = 24;
const LENGTHS: usize = 40;
const CHECKSUM: usize = 48;

fn refuse(bytes: &[u8]) -> WeightsError {
    let error = Network::read(bytes).expect_err("it is not sound");
    let text = error.to_string();
    // The message becomes one line of USI.
    assert!(!text.is_empty() && !text.contains(['\n', '\r']), "{text:?}");
    error
}

/// The data of a file of these numbers.
fn data(numbers: &PlainNetwork) -> Vec<u8> {
    decode(&numbers.to_file(""), SHAPE).expect("just written").data.to_vec()
}

#[test]
fn what_is_written_is_read_again() {
    for (seed, size) in [(1, USUAL), (2, LARGE)] {
        let numbers = reference::random(seed, size);
        let file = numbers.to_file("who, from what and how: 天秤");
        assert_eq!(Network::read(&file).expect("sound"), Network::new(&numbers).expect("numbers that fit"));
        assert_eq!(reference::read(&file), numbers);
        assert_eq!(decode(&file, SHAPE).expect("sound").provenance, "who, from what and how: 天秤");
        // The same numbers make the same bytes.
        assert_eq!(numbers.to_file("who, from what and how: 天秤"), file);
    }
}

#[test]
fn the_embedded_weights_are_sound_and_say_where_they_come_from() {
    let contents = decode(EMBEDDED, SHAPE).expect("sound");
    assert!(!contents.provenance.is_empty());
    assert_eq!(&Network::read(EMBEDDED).expect("sound"), &*Network::embedded());
    assert_eq!(reference::read(EMBEDDED).to_file(contents.provenance), EMBEDDED);
}

#[test]
fn files_that_end_too_early_or_too_late_are_refused() {
    for length in 0..HEADER {
        assert!(matches!(refuse(&EMBEDDED[..length]), WeightsError::Foreign), "{length} bytes");
    }
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let some = (0..50).map(|_| random.random_range(HEADER..EMBEDDED.len()));
    for length in some.chain([HEADER, HEADER + 1, EMBEDDED.len() - 1]) {
        match refuse(&EMBEDDED[..length]) {
            WeightsError::Length { found, expected } => {
                assert_eq!((found, expected), (length, EMBEDDED.len()));
            }
            error => panic!("{length} bytes: {error}"),
        }
    }
    for more in [1, 100] {
        let mut long = EMBEDDED.to_vec();
        long.resize(EMBEDDED.len() + more, 0);
        assert!(matches!(refuse(&long), WeightsError::Length { .. }));
    }
}

#[test]
fn a_single_wrong_bit_is_found_wherever_it_is() {
    let mut random = Pcg64Mcg::seed_from_u64(2);
    let behind = (0..400).map(|_| random.random_range(HEADER * 8..EMBEDDED.len() * 8));
    let mut bytes = EMBEDDED.to_vec();
    for bit in (0..HEADER * 8).chain(behind).chain([HEADER * 8, EMBEDDED.len() * 8 - 1]) {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = refuse(&bytes);
        let expected = match bit / 8 {
            0..KIND => matches!(error, WeightsError::Foreign),
            KIND..VERSION => matches!(error, WeightsError::Kind { .. }),
            VERSION..DIMENSIONS => matches!(error, WeightsError::Version { expected: 1, .. }),
            DIMENSIONS..LENGTHS => matches!(error, WeightsError::Dimensions { .. }),
            LENGTHS..CHECKSUM => matches!(error, WeightsError::Length { .. }),
            _ => matches!(error, WeightsError::Checksum),
        };
        assert!(expected, "bit {bit}: {error}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!(bytes, EMBEDDED);
}

/// Sound in every other respect: the checksum is right.
#[test]
fn weights_of_another_kind_version_or_size_are_refused() {
    let data = data(&reference::random(3, USUAL));
    let with = |change: &dyn Fn(&mut Shape)| {
        let mut shape = SHAPE;
        change(&mut shape);
        refuse(&encode(shape, "", &data))
    };
    match with(&|shape| shape.kind = "policy") {
        WeightsError::Kind { found, expected: "value" } => assert!(found.contains("policy"), "{found}"),
        error => panic!("{error}"),
    }
    assert!(matches!(with(&|shape| shape.version = 2), WeightsError::Version { found: 2, expected: 1 }));
    for place in 0..4 {
        match with(&|shape| shape.dimensions[place] += 1) {
            WeightsError::Dimensions { found, expected } => {
                assert_eq!((found[place], expected), (SHAPE.dimensions[place] + 1, SHAPE.dimensions));
            }
            error => panic!("{error}"),
        }
    }
    assert!(matches!(refuse(b"\x7fELF"), WeightsError::Foreign));
    assert!(matches!(refuse(&[0; 10_000]), WeightsError::Foreign));
}

#[test]
fn too_few_and_too_many_numbers_are_refused() {
    let data = data(&reference::random(4, USUAL));
    for length in [0, 1, 2, data.len() / 2, data.len() - 2, data.len() - 1] {
        assert!(matches!(refuse(&encode(SHAPE, "", &data[..length])), WeightsError::Data(_)), "{length}");
    }
    let mut long = data;
    long.push(0);
    assert!(matches!(refuse(&encode(SHAPE, "", &long)), WeightsError::Data(_)));
}

/// Written by hand, for the program itself writes no such thing.
#[test]
fn a_provenance_that_is_no_text_is_refused() {
    let data = data(&reference::random(5, USUAL));
    let mut bytes = encode(SHAPE, "??", &data);
    bytes[HEADER] = 0xff;
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&bytes[..HEADER - 4]);
    checksum.update(&bytes[HEADER..]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&checksum.finalize().to_le_bytes());
    assert!(matches!(refuse(&bytes), WeightsError::Foreign));
}

#[test]
fn numbers_that_could_overflow_are_refused() {
    type Change = fn(&mut PlainNetwork);
    let too_large: [(&str, Change); 8] = [
        ("a feature", |numbers| numbers.features[12_345] = i16::MAX),
        ("a feature below zero", |numbers| numbers.features[54_321] = i16::MIN),
        ("a feature that is just too large", |numbers| numbers.features[1] = 781),
        ("a bias of an accumulator", |numbers| {
            numbers.feature_bias[9] = i16::MIN;
        }),
        ("the first layer", |numbers| numbers.first.fill(i16::MAX)),
        ("a bias of the first layer", |numbers| numbers.first_bias[3] = i32::MIN),
        ("a bias of the second layer", |numbers| numbers.second_bias[31] = i32::MAX),
        ("the bias of the output", |numbers| numbers.output_bias = i32::MIN),
    ];
    for (name, change) in too_large {
        let mut numbers = reference::random(6, USUAL);
        numbers.feature_bias.fill(0);
        assert!(Network::new(&numbers).is_ok());
        change(&mut numbers);
        assert!(matches!(Network::new(&numbers), Err(WeightsError::Data(_))), "{name}");
        assert!(matches!(refuse(&numbers.to_file("")), WeightsError::Data(_)), "{name}");
    }
}

#[test]
fn layers_of_the_wrong_length_are_refused() {
    type Layer = fn(&mut PlainNetwork) -> &mut Vec<i16>;
    let layers: [Layer; 6] = [
        |numbers| &mut numbers.features,
        |numbers| &mut numbers.feature_bias,
        |numbers| &mut numbers.first,
        |numbers| &mut numbers.second,
        |numbers| &mut numbers.output,
        |numbers| &mut numbers.progress,
    ];
    for layer in layers {
        let mut numbers = reference::random(7, USUAL);
        layer(&mut numbers).pop();
        assert!(matches!(Network::new(&numbers), Err(WeightsError::Data(_))));
        layer(&mut numbers).clear();
        assert!(matches!(Network::new(&numbers), Err(WeightsError::Data(_))));
        layer(&mut numbers).resize(ACCUMULATORS * 2_000, 0);
        assert!(matches!(Network::new(&numbers), Err(WeightsError::Data(_))));
    }
}

/// Bytes that begin like a file of weights and go on at random.
#[test]
fn rubbish_never_panics() {
    let mut random = Pcg64Mcg::seed_from_u64(3);
    for _ in 0..2_000 {
        let keep = random.random_range(0..=HEADER);
        let length = random.random_range(0..400);
        let mut bytes = EMBEDDED[..keep].to_vec();
        bytes.extend((0..length).map(|_| random.random::<u8>()));
        refuse(&bytes);
    }
}

#[test]
fn writing_replaces_the_whole_file_and_leaves_nothing_else() {
    let folder = Folder::new("writing");
    let path = folder.file("weights.bin");
    for text in ["a first and rather long file", "a second"] {
        write_file(&path, text.as_bytes()).expect("there is room");
        assert_eq!(std::fs::read_to_string(&path).expect("written"), text);
        assert_eq!(folder.names(), ["weights.bin"]);
    }
    // What cannot be written leaves the old file alone.
    std::fs::create_dir(folder.file("a folder")).expect("there is room");
    assert!(write_file(&folder.file("a folder"), b"no").is_err());
    assert!(write_file(&folder.file("missing/weights.bin"), b"no").is_err());
    assert_eq!(std::fs::read_to_string(&path).expect("written"), "a second");
    assert_eq!(folder.names(), ["a folder", "weights.bin"]);
}
