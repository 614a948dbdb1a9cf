//! Rubbish, and good files with something wrong in them, cost at most the games that are wrong.

use proptest::prelude::*;
use tenbin::learn::records::Format;

use super::{FORMATS, SAMPLES, bytes, check, read_bytes, read_sample, sample, skipped};

/// A change to a file.
#[derive(Clone, Debug)]
enum Change {
    Put(usize, u8),
    Remove(usize, usize),
    Repeat(usize, usize),
    Cut(usize),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let within = |at: usize| at % bytes.len().max(1);
        match *self {
            _ if bytes.is_empty() => (),
            Self::Put(at, byte) => {
                let at = within(at);
                bytes[at] = byte;
            }
            Self::Remove(at, length) => {
                let at = within(at);
                bytes.drain(at..bytes.len().min(at + length));
            }
            Self::Repeat(at, length) => {
                let at = within(at);
                let part = bytes[at..bytes.len().min(at + length)].to_vec();
                bytes.splice(at..at, part);
            }
            Self::Cut(at) => bytes.truncate(within(at)),
        }
    }
}

fn change() -> impl Strategy<Value = Change> {
    // Letters that mean something somewhere, besides any.
    let letter =
        prop_oneof![any::<u8>(), prop::sample::select(b"0123456789+-%/*'()|:,#{}[]\"\r\n TPVN".to_vec())];
    prop_oneof![
        4 => (any::<usize>(), letter).prop_map(|(at, byte)| Change::Put(at, byte)),
        2 => (any::<usize>(), 1..40_usize).prop_map(|(at, length)| Change::Remove(at, length)),
        2 => (any::<usize>(), 1..200_usize).prop_map(|(at, length)| Change::Repeat(at, length)),
        1 => any::<usize>().prop_map(Change::Cut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn changed_files_give_sound_games_or_reasons(
        name in prop::sample::select(SAMPLES.to_vec()),
        format in prop::option::weighted(0.1, prop::sample::select(FORMATS.to_vec())),
        changes in prop::collection::vec(change(), 1..6),
    ) {
        let mut bytes = bytes(name);
        for change in &changes {
            change.apply(&mut bytes);
        }
        let format = format.unwrap_or(Format::of(&sample(name)));
        let (games, tally) = read_bytes(format, &bytes);
        games.iter().for_each(check);
        prop_assert!(tally.examples.len() as u64 <= tally.skipped());
    }

    #[test]
    fn rubbish_is_no_game(
        format in prop::sample::select(FORMATS.to_vec()),
        mut bytes in prop::collection::vec(any::<u8>(), 1..4_000),
    ) {
        // Not the sign of a remark.
        bytes[0] = b'x';
        let (games, tally) = read_bytes(format, &bytes);
        prop_assert_eq!(games.len(), 0);
        prop_assert!(tally.skipped() > 0);
    }

    #[test]
    fn text_is_no_game_either(format in prop::sample::select(FORMATS.to_vec()), text in "[ -~あ-ん一-龠０-９▲△：\n]{40,2000}") {
        let (games, _) = read_bytes(format, text.as_bytes());
        prop_assert_eq!(games.len(), 0);
    }
}

/// One wrong game does not take its neighbours with it.
#[test]
fn good_games_survive_among_bad_ones() {
    let csa = String::from_utf8(bytes("game.csa")).expect("UTF-8");
    let good = read_sample("game.csa").0;
    for bad in [
        "rubbish",
        "PI\n+\n-3334FU",
        "P1 * \n+\n+7776FU",
        "+7776FU+",
        "PI\n+\n+77",
        "P10000000\n+7776FU",
        "あ",
    ] {
        let (games, tally) = read_bytes(Format::Csa, format!("{csa}/\n{bad}\n/\n{csa}").as_bytes());
        assert_eq!((games.len(), tally.skipped()), (2, 1), "{bad}");
        assert!(games.iter().all(|game| *game == good[0]));
    }
    let kif = String::from_utf8(bytes("handicap.kif")).expect("UTF-8");
    let count = read_sample("handicap.kif").0.len();
    for bad in ["1 ７六歩(70)", "1 ７六歩(7７)", "1 同　歩(77)", "1 ５五王打", "1 ７六歩(77)\nrubbish"]
    {
        let text = format!("{kif}手合割：平手\n{bad}\n{kif}");
        let (games, tally) = read_bytes(Format::Kif, text.as_bytes());
        assert_eq!((games.len(), tally.skipped()), (2 * count, 7), "{bad}: {:?}", skipped(&tally));
    }
    for bad in
        ["▲７六歩△７六歩", "▲７六歩３四歩", "▲７六歩(70)", "▲５五角", "▲同歩", "▲７六歩(99)", "▲８八金"]
    {
        let (games, tally) = read_bytes(Format::Ki2, format!("手合割：平手\n{bad}\n").as_bytes());
        assert_eq!((games.len(), tally.skipped()), (0, 1), "{bad}");
    }
}
