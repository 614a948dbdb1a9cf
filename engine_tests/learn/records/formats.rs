//! Every format tells the same.

use tenbin::learn::records::{Ending, Format, Game, MATE_SCORE};
use tenbin::shogi::{Color, STARTPOS};

use super::{bytes, check, game, moves, read_bytes, read_sample, skipped};

fn scores(game: &Game) -> Vec<Option<i32>> {
    game.moves.iter().map(|ply| ply.score).collect()
}

fn endings(games: &[Game]) -> Vec<Ending> {
    games.iter().map(|game| game.ending).collect()
}

/// `Shift_JIS` and UTF-8, line ends of two systems, a mark at the beginning, comments, times, bookmarks and a variation
/// that is no game at all.
#[test]
fn one_game_is_the_same_in_every_format() {
    let expected = game();
    for name in ["game.kif", "game.kifu", "game.ki2", "game.ki2u", "game.csa", "game.jkf"] {
        let (games, tally) = read_sample(name);
        assert_eq!((games.len(), tally.skipped()), (1, 0), "{name}: {:?}", skipped(&tally));
        let game = &games[0];
        check(game);
        assert_eq!(game.start, "startpos", "{name}");
        assert_eq!(moves(game), moves(&expected), "{name}");
        assert_eq!(game.ending, Ending::Win(Color::Black), "{name}");
        assert_eq!(game.split(), expected.split(), "{name}");
    }
}

/// Floodgate's scores are Black's; a game's are for the side to move.
#[test]
fn csa_tells_ratings_scores_and_comments() {
    let (games, _) = read_sample("game.csa");
    let game = &games[0];
    assert_eq!(game.ratings, Some([1850.5, 1910.0]));
    assert_eq!(scores(game), [Some(100), Some(-50), None, Some(-100_000), Some(-30), None, None]);
    assert!(game.comments.contains(&(3, "exchanges bishops".to_owned())));
    assert!(game.comments.contains(&(1, "100 -3334FU +2726FU".to_owned())));
}

#[test]
fn statements_of_csa_may_share_a_line() {
    let text = b"PI,+\n+7776FU,T1,'** 20 -3334FU, or not\n-3334FU,T2\n%TORYO,T0\n";
    let (games, tally) = read_bytes(Format::Csa, text);
    assert_eq!((games.len(), tally.skipped()), (1, 0));
    assert_eq!(scores(&games[0]), [Some(20), None]);
    assert_eq!(games[0].comments, [(1, "20 -3334FU, or not".to_owned())]);
    assert_eq!(games[0].ending, Ending::Win(Color::White));
}

#[test]
fn comments_stay_with_their_moves() {
    let before = (0, "対局前のコメント".to_owned());
    for name in ["game.kif", "game.kifu", "game.jkf"] {
        let (games, _) = read_sample(name);
        assert_eq!(games[0].comments, [before.clone(), (1, "角道を開ける\n二行目".to_owned())], "{name}");
    }
    for name in ["game.ki2", "game.ki2u"] {
        let (games, _) = read_sample(name);
        assert_eq!(games[0].comments, [before.clone(), (2, "角道を開ける".to_owned())], "{name}");
    }
}

/// With separators and without, a blank line in a header, a comment between games, `Shift_JIS`.
#[test]
fn a_file_of_csa_holds_many_games() {
    let (games, tally) = read_sample("games.csa");
    let [black, white] = [Ending::Win(Color::Black), Ending::Win(Color::White)];
    assert_eq!(endings(&games), [black, Ending::Draw, black, white, Ending::Unknown, black]);
    assert_eq!(moves(&games[0]), moves(&game()));
    assert_eq!(
        games[4].start, "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "a handicap: White begins"
    );
    assert_eq!(games[5].start, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    let reasons = ["move 2 is not legal here", "'what is this' cannot be read", "no moves"];
    assert_eq!(skipped(&tally), [11, 46, 68].into_iter().zip(reasons.map(str::to_owned)).collect::<Vec<_>>());
    games.iter().for_each(check);
}

#[test]
fn jkf_may_be_a_list() {
    let (games, tally) = read_sample("games.json");
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|found| moves(found) == moves(&game())));
    let places: Vec<u64> = tally.examples.iter().map(|skipped| skipped.place).collect();
    assert_eq!((places, tally.skipped()), (vec![2, 3, 4, 5], 4));
}

/// The file was written by another program.
#[test]
fn records_of_hcpe_are_games_of_one_move() {
    let (games, tally) = read_sample("games.hcpe");
    let mut found = games.iter();
    game().replay(|walker, ply| {
        let record = found.next().expect("every position is there");
        let number = Some(1);
        assert_eq!(record.start().position().to_sfen(number), walker.position().to_sfen(number));
        assert_eq!(moves(record), [ply.mv.to_usi()]);
        assert_eq!(record.ending, Ending::Win(Color::Black));
    });
    let all: Vec<Option<i32>> = games.iter().flat_map(scores).collect();
    assert_eq!(all, [100, -50, 0, -30_000, -30, 0, 32_100, 100].map(Some));
    assert_eq!(found.map(|game| game.ending).collect::<Vec<_>>(), [Ending::Draw]);
    let kinds: Vec<&str> = tally.reasons.keys().copied().collect();
    assert_eq!(kinds, ["a move is illegal", "the result is unknown", "the start is no position"]);
    assert_eq!(tally.examples.iter().map(|skipped| skipped.place).collect::<Vec<_>>(), [8, 9, 10]);
}

#[test]
fn lines_of_our_own_format() {
    let (games, tally) = read_sample("games.txt");
    assert_eq!(games.len(), 5);
    games.iter().for_each(check);
    assert_eq!(scores(&games[0])[..5], [Some(100), Some(-50), None, None, Some(-30)]);
    assert_eq!(scores(&games[0])[6], Some(MATE_SCORE - 1));
    assert_eq!(games[0].ratings, Some([1850.5, 1910.0]));
    assert_eq!(games[1].start, "startpos", "one text for one position");
    assert_eq!(games[2].ending, Ending::Draw);
    assert_eq!(scores(&games[3])[1], Some(-40_000), "a score may be beyond every mate");
    assert_eq!(games[4].ratings, None, "one rating is none");
    assert_eq!(tally.skipped(), 8);
    let expected = [
        (7, "move 2: '3c3c' is not a move"),
        (8, "move 2: 'hello' is not a move"),
        (9, "move 1: 'high' is not a score"),
        (10, "result: 'x' is none of b, w, d"),
        (11, "not of the form start|moves|result|meta"),
    ];
    assert_eq!(skipped(&tally), expected.map(|(place, reason)| (place, reason.to_owned())));
}

/// Handicaps by name, several games in a file, other words for an end, and what the crate would take for one.
#[test]
fn handicaps_in_kif() {
    let (games, tally) = read_sample("handicap.kif");
    assert_eq!(games[0].start, "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(games[1].start, "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(games[2].start, "startpos");
    assert_eq!(endings(&games), [Ending::Unknown, Ending::Draw, Ending::Win(Color::White)]);
    let reasons = [
        (15, "start: handicap '????' is unknown"),
        (19, "move 2: '???' is not a move"),
        (22, "move 2 is not legal here"),
    ];
    assert_eq!(skipped(&tally), reasons.map(|(place, reason)| (place, reason.to_owned())));
}

#[test]
fn a_diagram_in_kif() {
    let (games, tally) = read_sample("diagram.kif");
    assert_eq!((games.len(), tally.skipped()), (1, 0));
    assert_eq!(games[0].start, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
    assert_eq!(moves(&games[0]), ["G*5b"]);
    assert_eq!(games[0].ending, Ending::Win(Color::Black));
    let white = String::from_utf8(bytes("diagram.kif")).expect("UTF-8").replace("手数＝0  まで", "上手番");
    let (games, _) = read_bytes(Format::Kif, white.as_bytes());
    assert_eq!(games[0].start, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G2r2b3g4s4n4l17p 1");
}

/// 打 may be left out where the silver on the board is pinned; the crate does not know.
#[test]
fn a_drop_in_ki2_need_not_be_said() {
    let text = "\
手合割：その他
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v飛 ・ ・ ・v玉|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ 銀 ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：銀
先手番
*▲４七銀 is dropped
▲４七銀 △１二玉
まで2手で中断
";
    let (games, tally) = read_bytes(Format::Ki2, text.as_bytes());
    assert_eq!(tally.skipped(), 0, "{:?}", skipped(&tally));
    assert_eq!(moves(&games[0]), ["S*4g", "1a1b"]);
}

#[test]
fn one_text_for_one_start() {
    let (games, _) = read_bytes(Format::Text, format!("{STARTPOS}|7g7f|b|\nstartpos|7g7f|b|").as_bytes());
    assert_eq!(games[0], games[1]);
}
