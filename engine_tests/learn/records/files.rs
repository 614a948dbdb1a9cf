//! Files: compressed, cut off, endless, missing.

use std::fmt::Write;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use tenbin::learn::records::{Format, read, read_from};

use super::{
    FORMATS, Folder, GAME, SAMPLES, bytes, is_damaged, moves, read_bytes, read_file, read_sample, skipped,
};
use crate::records::sample as positions;

/// Lines of as many different games.
fn lines(count: usize) -> String {
    let mut text = String::new();
    for (i, game) in positions().iter().cycle().take(count).enumerate() {
        let moves = moves(&game.0);
        let played = moves[..moves.len() - i / 240 % moves.len()].join(" ");
        writeln!(text, "{}|{played}|d|ratings={i},0", game.0.start).expect("fits");
    }
    text
}

#[test]
fn compressed_files_hold_the_same_games() {
    let folder = Folder::new("compressed");
    for name in SAMPLES {
        let (plain, tally) = read_sample(name);
        let compressed = zstd::encode_all(bytes(name).as_slice(), 3).expect("compresses");
        // By its name, or without one by its first bytes.
        let (games, same) = read_file(&folder.write(&format!("{name}.zst"), &compressed));
        assert_eq!(games, plain, "{name}");
        assert_eq!(skipped(&same), skipped(&tally), "{name}");
        assert_eq!(read_file(&folder.write(name, &compressed)).0, plain, "{name}");
    }
}

#[test]
fn what_comes_before_the_damage_is_read() {
    let folder = Folder::new("damaged");
    let text = lines(2_000);
    let (whole, _) = read_bytes(Format::Text, text.as_bytes());
    let compressed = zstd::encode_all(text.as_bytes(), 1).expect("compresses");
    for part in 1..8 {
        let mut cut = compressed[..compressed.len() * part / 8].to_vec();
        let (games, tally) = read_file(&folder.write("cut.txt.zst", &cut));
        assert_eq!(games, whole[..games.len()]);
        assert!(games.len() < whole.len() && is_damaged(&tally), "{:?}", skipped(&tally));
        assert_eq!(tally.skipped(), 1);
        // Rubbish in place of what was cut off.
        cut.extend(b"rubbish".repeat(1_000));
        let (games, tally) = read_file(&folder.write("rubbish.txt.zst", &cut));
        assert!(games.len() < whole.len() && is_damaged(&tally), "{:?}", skipped(&tally));
    }
    assert!(is_damaged(&read_file(&folder.write("none.txt.zst", b"not compressed at all")).1));
}

#[test]
fn a_cut_file_of_kif_keeps_its_whole_games() {
    let folder = Folder::new("cut-kif");
    // Noise, so that the cut falls behind the first games.
    let mut noise = 1_u64;
    let mut comment = String::from("*");
    for _ in 0..100_000 {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        comment.push(char::from(b'a' + (noise >> 33) as u8 % 26));
    }
    let text = format!("手合割：平手\n1 ７六歩(77)\n2 投了\n手合割：平手\n1 ２六歩(27)\n{comment}\n2 投了\n");
    let compressed = zstd::encode_all(text.repeat(4).as_bytes(), 1).expect("compresses");
    let (games, tally) = read_file(&folder.write("cut.kif.zst", &compressed[..compressed.len() - 20]));
    assert!(!games.is_empty() && games.len() < 8, "{} games", games.len());
    assert!(is_damaged(&tally), "{:?}", skipped(&tally));
}

#[test]
fn binary_files_that_end_within_a_record() {
    let whole = bytes("games.hcpe");
    let (games, tally) = read_bytes(Format::Hcpe, &whole[..38 * 3 + 5]);
    assert_eq!(games.len(), 3);
    assert!(is_damaged(&tally));
}

#[test]
fn files_that_cannot_be_opened_are_errors() {
    let folder = Folder::new("unopened");
    let kind = |path| read(path, &mut |_| ControlFlow::Continue(())).expect_err("unreadable").error.kind();
    assert_eq!(kind(&folder.0), ErrorKind::IsADirectory);
    assert_eq!(kind(&folder.0.join("missing.kif")), ErrorKind::NotFound);
}

#[test]
fn empty_files_hold_no_games() {
    for format in FORMATS {
        let blank: &[u8] = if format == Format::Hcpe { b"" } else { b" \r\n\n" };
        for bytes in [b"", blank] {
            let (games, tally) = read_bytes(format, bytes);
            assert_eq!((games.len(), tally.skipped()), (0, 0), "{format:?}");
        }
    }
}

#[test]
fn names_say_the_format() {
    for (name, format) in [
        ("a.txt", Format::Text),
        ("a.txt.zst", Format::Text),
        ("a", Format::Text),
        ("a.zst", Format::Text),
        ("a.b.KIF", Format::Kif),
        ("a.kifu.zst", Format::Kif),
        ("a.ki2", Format::Ki2),
        ("a.ki2u", Format::Ki2),
        ("a.csa.ZST", Format::Csa),
        ("a.jkf", Format::Jkf),
        ("a.json", Format::Jkf),
        ("a.hcpe", Format::Hcpe),
    ] {
        assert_eq!(Format::of(name.as_ref()), format, "{name}");
    }
}

#[test]
fn line_ends_and_marks_of_other_systems() {
    let plain = read_sample("games.txt");
    let text = String::from_utf8(bytes("games.txt")).expect("UTF-8");
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let (games, tally) = read_bytes(Format::Text, marked.as_bytes());
    assert_eq!((games, skipped(&tally)), (plain.0, skipped(&plain.1)));
    let csa = String::from_utf8(bytes("game.csa")).expect("UTF-8");
    let two = format!("{csa}/\n{csa}").replace('\n', "\r");
    assert_eq!(read_bytes(Format::Csa, two.as_bytes()).0.len(), 2);
    for text in [format!("\u{feff}{csa}"), csa.replace('\n', "\r\n"), csa.replace('\n', "\r")] {
        assert_eq!(read_bytes(Format::Csa, text.as_bytes()).0, read_sample("game.csa").0);
    }
}

#[test]
fn games_come_in_the_order_of_the_file_whatever_the_threads() {
    let text = lines(5_000);
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let (games, _) = pool.install(|| read_bytes(Format::Text, text.as_bytes()));
        assert_eq!(games.len(), 5_000);
        assert!(games.iter().enumerate().all(|(i, game)| game.ratings == Some([i as f32, 0.0])));
    }
}

#[test]
fn the_visitor_may_break_off() {
    let text = lines(5_000);
    let mut seen = 0;
    let tally = read_from(text.as_bytes(), Format::Text, &mut |_| {
        seen += 1;
        if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((seen, tally.games), (10, 10));
}

#[test]
fn what_is_longer_than_any_game_is_skipped() {
    let long = format!("startpos|{}|b|", "7g7f ".repeat(1 << 20));
    let text = format!("{GAME}\n{long}\n{GAME}\n");
    let (games, tally) = read_bytes(Format::Text, text.as_bytes());
    assert_eq!((games.len(), skipped(&tally)), (2, vec![(2, "longer than any game".to_owned())]));
    // Legal, but nobody plays so long.
    let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(8_000);
    let (_, tally) = read_bytes(Format::Text, format!("startpos|{shuffle}|d|").as_bytes());
    assert_eq!(skipped(&tally), [(1, "more than 30000 moves".to_owned())]);
    let shuffle = "+2838HI\n-8272HI\n+3828HI\n-7282HI\n".repeat(2_000);
    let csa = String::from_utf8(bytes("game.csa")).expect("UTF-8");
    let text = format!("{csa}/\nPI\n+\n{shuffle}/\n'{}\n/\n{csa}", "x".repeat(3 << 20));
    let (games, tally) = read_bytes(Format::Csa, text.as_bytes());
    assert_eq!(games.len(), 2);
    assert_eq!(tally.skipped(), 1, "{:?}", skipped(&tally));
}
