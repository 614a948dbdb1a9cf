//! Opening books: files good and bad, and when they are asked.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tenbin::book::making::{Wish, count};
use tenbin::book::{Library, Settings, draw};
use tenbin::shogi::book::{Book, BookMove, encode};
use tenbin::shogi::{Color, Rules, Walker, is_legal, parse_move, parse_position};

use crate::protocol::client::{Client, last, texts};

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tenbin-book-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// An edge pawn that nobody would open with, twice as heavy as another; the rest is bad, forbidden or worth nothing.
fn text() -> String {
    format!(
        "#YANEURAOU-DB2016 1.00\n{START}\n9g9f 1c1d 20 10 200\n1g1f none 10 10 100\n3g3f none -90 10 900\n5i5e none 99 9 900\n"
    )
}

fn walker(text: &str) -> Walker {
    parse_position(text, Rules::default()).expect("a position").0
}

/// How often each move is drawn.
fn drawn(moves: &[BookMove], settings: &Settings) -> BTreeMap<String, u32> {
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let mut counts = BTreeMap::new();
    for _ in 0..3000 {
        let found = draw(moves, Color::Black, settings, &mut random).expect("a move");
        *counts.entry(found.mv.to_usi()).or_default() += 1;
    }
    counts
}

#[test]
fn moves_are_drawn_by_weight_within_the_limits() {
    let folder = Folder::new("weights");
    let book = Book::open(&folder.write("a.db", text())).expect("a book");
    let moves = book.find(walker("startpos").position()).expect("readable");
    assert_eq!(moves.len(), 3, "illegal moves are left out: {moves:?}");
    let counts = drawn(&moves, &Settings::default());
    assert_eq!(counts.keys().collect::<Vec<_>>(), ["1g1f", "9g9f"]);
    assert!((1850..2150).contains(&counts["9g9f"]), "{counts:?}");
    let strict = Settings { worse: 5, ..Settings::default() };
    assert_eq!(drawn(&moves, &strict).len(), 1);
    let loose = Settings { worse: 500, least: [-500; 2], ..Settings::default() };
    assert_eq!(drawn(&moves, &loose).len(), 3);
    assert!(book.find(walker("startpos moves 7g7f").position()).expect("readable").is_empty());
}

#[test]
fn positions_may_stand_in_any_order() {
    let folder = Folder::new("order");
    let other = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n8c8d none 0 0 1\n";
    let book = format!("{}{other}{START}\n2g2f none 0 0 1\n", "#YANEURAOU-DB2016 1.00\n");
    for (name, text) in [("a.db", book.clone()), ("b.db", book.replace('\n', "\r\n"))] {
        let book = Book::open(&folder.write(name, text)).expect("a book");
        for (position, expected) in [("startpos", "2g2f"), ("startpos moves 7g7f", "8c8d")] {
            let moves = book.find(walker(position).position()).expect("readable");
            assert_eq!(moves[0].mv.to_usi(), expected, "{name}");
        }
    }
}

/// Records of the samples, and what a book from them says, in both formats.
#[test]
fn books_are_made_from_records() {
    let folder = Folder::new("making");
    let lines = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 8c8d\nstartpos moves 7g7f 3c3d\nstartpos|2g2f|b|\n";
    let file = folder.write("games.txt", lines);
    for (least, expected) in [(1, 2), (2, 1)] {
        let wish = Wish { plies: 2, least };
        let (counts, results) = count(std::slice::from_ref(&file), wish);
        assert!(results.iter().all(|(_, result)| result.as_ref().is_ok_and(|tally| tally.games == 4)));
        let pages = counts.pages(wish);
        for name in ["book.db", "book.sbk"] {
            let path = folder.0.join(name);
            let path = folder.write(name, encode(&pages, &path).expect("it can be written"));
            let book = Book::open(&path).expect("it can be read");
            let find = |text: &str| book.find(walker(text).position()).expect("readable");
            let moves = find("startpos");
            assert_eq!(moves.len(), expected, "{name}");
            assert_eq!((moves[0].mv.to_usi().as_str(), moves[0].weight), ("7g7f", Some(3)), "{name}");
            let replies = find("startpos moves 7g7f");
            assert_eq!((replies[0].mv.to_usi().as_str(), replies[0].weight), ("3c3d", Some(2)), "{name}");
            assert!(find("startpos moves 7g7f 3c3d").is_empty(), "only two plies were wanted");
        }
    }
    let wish = Wish { plies: 2, least: 1 };
    assert!(encode(&count(&[file], wish).0.pages(wish), Path::new("book.txt")).is_err());
}

#[test]
fn the_embedded_book_plays_legal_moves_to_its_end() {
    let settings = Settings::default();
    for seed in 0..50 {
        let mut library = Library::with_seed(seed);
        assert_eq!(library.open(&settings), None);
        let mut walker = Walker::startpos();
        while let Some(line) = library.choose(&walker, &settings).expect("sound") {
            assert!(is_legal(walker.position(), line.pv[0]), "{walker:?}: {line:?}");
            walker.apply(line.pv[0]);
            assert!(line.pv.get(1).is_none_or(|&reply| is_legal(walker.position(), reply)));
        }
        let plies = walker.moves().len();
        assert!((4..=16).contains(&plies), "{plies} moves from the book");
    }
}

#[test]
fn nobody_plays_in_circles_by_the_book() {
    let folder = Folder::new("circles");
    let file = folder.write("a.db", text());
    let settings = Settings { file, ..Settings::default() };
    let mut library = Library::with_seed(1);
    assert_eq!(library.open(&settings), None);
    let again = "startpos moves 2h3h 8b7b 3h2h 7b8b";
    assert!(library.choose(&walker("startpos"), &settings).expect("sound").is_some());
    assert!(library.choose(&walker(again), &settings).expect("sound").is_none());
}

/// The engine with a file for a book, and what it said about it.
fn engine(file: &str) -> (Client, Vec<String>) {
    let mut client = Client::start();
    client.send("usi");
    client.expect("usiok");
    client.send(&format!("setoption name BookFile value {file}"));
    client.send("isready");
    let said = texts(&client.expect("readyok")).into_iter().map(str::to_owned).collect();
    client.send("usinewgame");
    client.send("position startpos");
    (client, said)
}

const BY_CLOCK: &str = "go btime 0 wtime 0 byoyomi 100";

#[test]
fn games_are_played_by_the_book_and_nothing_else_is() {
    let folder = Folder::new("games");
    let file = folder.write("my book.db", text()).display().to_string();
    let (mut client, said) = engine(&file);
    assert_eq!(said, [""; 0]);
    let from_book = |answer: &str| ["9g9f", "1g1f"].iter().any(|mv| answer.contains(mv));
    for go in [BY_CLOCK, "go btime 60000 wtime 60000 binc 1000 winc 1000"] {
        assert!(from_book(&client.ask(go)), "{go}");
    }
    for go in
        ["go nodes 200", "go depth 2", "go movetime 100", "go btime 0 wtime 0 byoyomi 100 searchmoves 7g7f"]
    {
        assert!(!from_book(&client.ask(go)), "{go}");
    }
    for go in ["go infinite", "go ponder btime 0 wtime 0 byoyomi 100"] {
        client.send(go);
        client.expect_no_answer(std::time::Duration::from_millis(300));
        client.send("stop");
        assert!(!from_book(&last(&client.answer()).text), "{go}");
    }
    assert!(client.ask("go mate 100").starts_with("checkmate"));
    for off in ["USI_OwnBook value false", "BookMoves value 0", "BookFile value no_book"] {
        let on = if off.starts_with("USI") { "USI_OwnBook value true" } else { "BookMoves value 16" };
        client.send(&format!("setoption name {off}"));
        assert!(!from_book(&client.ask(BY_CLOCK)), "{off}");
        client.send(&format!("setoption name {on}"));
    }
    client.send(&format!("setoption name BookFile value {file}"));
    assert!(from_book(&client.ask(BY_CLOCK)));
    // Some clients analyse by the clock; what they do not do is to begin a game.
    client.send("isready");
    client.expect("readyok");
    assert!(!from_book(&client.ask(BY_CLOCK)));
    client.quit();
}

#[test]
fn a_bad_file_is_told_once_and_play_goes_on() {
    let folder = Folder::new("bad");
    let mut files = vec!["/no/such/book.db".to_owned()];
    for (name, bytes) in [
        ("empty.db", &b""[..]),
        ("noise.db", &[0xff; 1000]),
        ("words.db", b"hello\nthere\n"),
        ("position.db", b"#YANEURAOU-DB2016 1.00\nsfen 9/9/9 b - 1\n7g7f none 0 0 1\n"),
        ("old.db", b"#YANEURAOU-DB2016 9.99\n"),
        ("noise.sbk", &[0xff; 1000]),
        ("empty.sbk", b""),
        ("book.txt", b"startpos"),
    ] {
        files.push(folder.write(name, bytes).display().to_string());
    }
    files.push(folder.0.display().to_string());
    for file in files {
        let (mut client, said) = engine(&file);
        assert_eq!(said.len(), 1, "{file}: {said:?}");
        assert!(said[0].starts_with("BookFile: ") && said[0].contains("without a book"), "{said:?}");
        client.send(BY_CLOCK);
        let heard = client.answer();
        assert!(texts(&heard).is_empty(), "{file}: {heard:?}");
        assert!(last(&heard).text.starts_with("bestmove "), "{file}");
        client.quit();
    }
}

#[test]
fn a_file_that_breaks_off_later_is_told_when_it_is_found_out() {
    let folder = Folder::new("later");
    let bad = format!("#YANEURAOU-DB2016 1.00\n{START}\nnonsense\n");
    let (mut client, said) = engine(&folder.write("a.db", bad).display().to_string());
    assert_eq!(said, [""; 0]);
    for expected in [1, 0] {
        client.send(BY_CLOCK);
        let heard = client.answer();
        assert_eq!(texts(&heard).len(), expected, "{heard:?}");
    }
    client.quit();
}

#[test]
fn the_reply_of_the_book_is_pondered_on() {
    let start = walker("startpos");
    assert!(parse_move(start.position(), "9g9f").is_ok());
    let folder = Folder::new("ponder");
    let one = format!("#YANEURAOU-DB2016 1.00\n{START}\n9g9f 1c1d 20 10 200\n");
    let (mut client, _) = engine(&folder.write("a.db", one).display().to_string());
    assert_eq!(client.ask(BY_CLOCK), "bestmove 9g9f ponder 1c1d");
    client.quit();
}
