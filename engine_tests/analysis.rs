//! Pages about games: what they hold, and what happens to records that are none.

use std::path::{Path, PathBuf};
use tenbin::analysis::page::page;
use tenbin::analysis::people::{CURVES, FOUND, Finder, People};
use tenbin::analysis::wording::{Language, grouped};
use tenbin::analysis::{Analysis, Effort, Interrupt, Judgement, judge, names, read};
use tenbin::eval::Network;
use tenbin::human::outlook::{Lead, TOLD};
use tenbin::human::{Human, Outlook};
use tenbin::search::{Preferences, Score, Search, TreeSearch};
use tenbin::shogi::{Color, parse_move};

const GAME: &str = "engine_tests/page/game.kif";

fn game() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(GAME)
}

/// The sample game with a few playouts a move, up to the interruption after so many positions.
fn analysis(playouts: u64, most: usize) -> Analysis {
    let game = read(&game()).expect("a sound game");
    let mut search = TreeSearch::default();
    search.prepare(&Preferences::default());
    let interrupt = Interrupt::new();
    let judgements = judge(&mut search, &game, Effort::Playouts(playouts), &interrupt, &mut |place, _| {
        if place + 1 == most {
            interrupt.stop();
        }
    });
    Analysis { game, names: [Some("<b>&".to_owned()), None], judgements, people: None }
}

#[test]
fn a_page_holds_all_moves_and_needs_nothing_else() {
    let analysis = analysis(30, usize::MAX);
    let moves = analysis.game.moves.len();
    assert_eq!(analysis.judgements.len(), moves + 1);
    for (language, word) in [(Language::Japanese, "勝率グラフ"), (Language::English, "Turning points")] {
        let page = page(&analysis, language);
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<meta charset=\"utf-8\">"));
        assert!(page.contains(word));
        assert_eq!(page.matches("<tr data-place=").count(), moves + 1);
        assert_eq!(page.matches("\"board\":").count(), moves + 1, "a board for every position");
        for outside in ["http://", "https://", "src=", "@import"] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert!(page.contains("&lt;b&gt;&amp;") && !page.contains("<b>&"), "names are text");
        assert!(!page.contains("class=\"part\""));
    }
    assert!(page(&analysis, Language::Japanese).contains("▲７六歩"));
    assert!(page(&analysis, Language::English).contains("P7g-7f"));
}

#[test]
fn an_interrupted_analysis_keeps_what_is_done() {
    let analysis = analysis(10, 7);
    assert_eq!(analysis.judgements.len(), 7);
    assert_eq!(analysis.verdicts().len(), 6);
    let page = page(&analysis, Language::English);
    assert!(page.contains("Analysed up to move 6 of 49."));
    assert_eq!(
        page.matches("<tr data-place=").count(),
        50,
        "the rest of the game can still be stepped through"
    );
    let interrupt = Interrupt::new();
    interrupt.stop();
    let mut search = TreeSearch::default();
    search.prepare(&Preferences::default());
    let none = judge(&mut search, &analysis.game, Effort::Playouts(10), &interrupt, &mut |_, _| {});
    assert!(none.is_empty());
    let nothing = Analysis { judgements: none, ..analysis };
    assert!(self::page(&nothing, Language::Japanese).contains("0手目まで"));
}

fn judgement(score: Score, best: &str, game: &Analysis, place: usize) -> Judgement {
    let walker = &game.walkers()[place];
    Judgement {
        score,
        best: vec![parse_move(walker.position(), best).expect("legal")],
        playouts: 1,
        behind: 1,
    }
}

#[test]
fn losses_and_missed_mates_are_judged_from_both_sides() {
    let mut game = analysis(1, 1);
    let cp = Score::Cp;
    game.judgements = vec![
        judgement(cp(0), "7g7f", &game, 0),
        judgement(Score::Mates(5), "8c8d", &game, 1),
        judgement(cp(0), "2g2f", &game, 2),
    ];
    let played: Vec<String> = game.game.moves.iter().take(2).map(|ply| ply.mv.to_usi()).collect();
    assert_eq!(played, ["7g7f", "3c3d"]);
    let verdicts = game.verdicts();
    assert!(verdicts[0].is_best && verdicts[0].loss < 1e-9, "what it would have played is no mistake");
    assert_eq!(verdicts[1].missed_mate, Some(5));
    assert!((verdicts[1].loss - 0.5).abs() < 1e-9);
    assert_eq!(game.turning_points(8, 0.1), [1]);
    assert_eq!(game.turning_points(8, 0.6), [0; 0]);
    let page = page(&game, Language::Japanese);
    assert!(page.contains("5手詰を逃す"), "the mate is told");
}

#[test]
fn losses_are_what_readers_subtract() {
    let mut game = analysis(1, 1);
    // 59.6 % and 43.3 % differ by 16.3, but what is shown by 17.
    game.judgements =
        vec![judgement(Score::Cp(233), "2g2f", &game, 0), judgement(Score::Cp(162), "8c8d", &game, 1)];
    let page = page(&game, Language::English);
    assert!(page.contains("Black's win rate 60% → 43% <b>−17%</b>"), "{page}");
}

#[test]
fn games_of_a_move_and_at_odds_have_pages_too() {
    let mut game = analysis(1, 1);
    game.game.moves.truncate(1);
    game.judgements =
        vec![judgement(Score::Cp(0), "7g7f", &game, 0), judgement(Score::Mates(3), "8c8d", &game, 1)];
    let page = page(&game, Language::Japanese);
    assert!(page.contains("<td>0.0%</td><td>–</td>"), "a side without a move has no mean");
    assert!(page.contains("詰みを読み切り"));
    let start = "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    game.game.start = start.to_owned();
    game.game.moves.clear();
    game.judgements.clear();
    let page = self::page(&game, Language::Japanese);
    assert!(page.contains("下手の勝率") && !page.contains("先手"), "who gets odds is not called the first");
}

#[test]
fn scores_are_told_from_one_side() {
    assert_eq!(Language::English.score(Score::Cp(120), Color::White), "-120");
    assert_eq!(Language::English.score(Score::Cp(120), Color::Black), "+120");
    assert_eq!(grouped(1_234_567), "1,234,567");
    assert_eq!(grouped(999), "999");
}

#[test]
fn names_are_found_in_both_formats() {
    let text = std::fs::read(game()).expect("readable");
    assert_eq!(names(&text), [Some("松岡".to_owned()), Some("川合".to_owned())]);
    assert_eq!(names("N+Bonanza\nN-\nPI\n".as_bytes()), [Some("Bonanza".to_owned()), None]);
    assert_eq!(names(&[0xff; 100]), [None, None]);
}

#[test]
fn what_is_no_game_is_told() {
    for name in ["no/such.kif", "README.md", "engine_tests"] {
        let error = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect_err("no game");
        assert!(error.contains(name), "{error}");
    }
}

/// What a position is worth at the ratings whose curves are drawn.
fn outlook(rates: [f64; CURVES.len()], lead: Lead) -> ([f64; CURVES.len()], Outlook) {
    (rates, Outlook { rates: [0.0; TOLD.len()], own: (1600, rates[1] as f32), lead })
}

#[test]
fn positions_where_ratings_differ_most_are_not_neighbours() {
    let mut outlooks = vec![outlook([0.5; 3], Lead::None); 50];
    for (place, spread) in
        [(3, 0.07), (10, 0.3), (12, 0.2), (17, 0.15), (30, 0.11), (40, 0.4), (41, 0.5), (49, 0.12)]
    {
        outlooks[place] = outlook([0.5 - spread, 0.5, 0.5], Lead::Sharp);
    }
    let mut people = People { rating: 1600, outlooks, finds: Vec::new() };
    assert_eq!(
        people.differences(),
        [10, 17, 41, 49],
        "3 differs too little, 12 and 40 are too near to others"
    );
    people.outlooks.truncate(10);
    assert_eq!(people.differences(), [0; 0]);
}

#[test]
fn a_player_is_told_what_he_finds() {
    let (human, network) = (Human::embedded().expect("weights"), Network::embedded());
    let finder = Finder::new(&human, network.clone(), 1600).expect("a policy");
    let mut game = analysis(1, 1);
    let walkers = game.walkers();
    let found = finder.moves(&walkers[1]);
    assert!(!found.is_empty() && found.iter().all(|&(_, share)| share >= FOUND), "{found:?}");
    assert!(found.iter().map(|found| found.1).sum::<f32>() <= 1.001, "{found:?}");
    let usi = |mv: &str| parse_move(walkers[1].position(), mv).expect("legal");
    assert!(found.iter().any(|&(mv, _)| mv == usi("8c8d")) && found.iter().all(|&(mv, _)| mv != usi("9a9b")));
    let mut search = TreeSearch::default();
    search.prepare(&Preferences::default());
    let mut judged = |best: &str, interrupt: &Interrupt| {
        game.judgements = vec![
            judgement(Score::Cp(0), "7g7f", &game, 0),
            judgement(Score::Cp(300), best, &game, 1),
            judgement(Score::Cp(0), "2g2f", &game, 2),
        ];
        assert_eq!(game.turning_points(8, 0.1), [1]);
        finder.finds(&mut search, &game, Effort::Playouts(50), interrupt)
    };
    let going = Interrupt::new();
    let [best] = judged("8c8d", &going)[..] else { panic!("one turning point") };
    assert_eq!((best.place, best.mv), (1, usi("8c8d")), "what he plays himself is told as it is");
    assert!((best.win_rate - 1.0 / (1.0 + (-0.5_f64).exp())).abs() < 1e-9);
    let [other] = judged("9a9b", &going)[..] else { panic!("one turning point") };
    assert!(
        found.contains(&(other.mv, other.share)),
        "a move that hardly anybody plays is not for him: {other:?}"
    );
    assert!(other.win_rate <= best.win_rate);
    let stopped = Interrupt::new();
    stopped.stop();
    assert_eq!(judged("9a9b", &stopped), []);
    let mut people = People::new(&human, &network, &game, 1600);
    people.finds = vec![other];
    game.people = Some(people);
    for (language, words) in [
        (Language::Japanese, ["棋力別の勝率", "R1600 なら"]),
        (Language::English, ["Win rate by rating", "Best at 1600"]),
    ] {
        let page = page(&game, language);
        assert!(words.iter().all(|word| page.contains(word)));
        assert_eq!(page.matches("class=\"rating rating").count(), CURVES.len());
        assert!(page.contains(&language.find(other.share, 62 - (100.0 * other.win_rate).round() as i64)));
    }
}

#[test]
fn leads_are_told_apart_in_both_languages() {
    let leads = [Lead::None, Lead::Safe, Lead::Sharp, Lead::ForExperts, Lead::AgainstBeginners];
    for (language, side) in [(Language::Japanese, "後手"), (Language::English, "White")] {
        let told: std::collections::BTreeSet<String> =
            leads.iter().map(|&lead| language.lead(lead, side)).collect();
        assert_eq!(told.len(), leads.len(), "{told:?}");
        assert_eq!(told.iter().filter(|text| text.contains(side)).count(), leads.len() - 1, "{told:?}");
    }
}

#[test]
fn a_game_that_is_over_is_lost_at_every_rating() {
    let (human, network) = (Human::embedded().expect("weights"), Network::embedded());
    let mut game = analysis(1, 1);
    let start = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
    let (mut walker, _) =
        tenbin::shogi::parse_position(start, tenbin::shogi::Rules::default()).expect("a position");
    game.game.start = start.to_owned();
    game.game.moves.truncate(1);
    game.game.moves[0].mv = parse_move(walker.position(), "G*5b").expect("legal");
    walker.apply(game.game.moves[0].mv);
    assert!(walker.is_mated());
    let people = People::new(&human, &network, &game, 1600);
    assert_eq!(people.outlooks.len(), 2);
    assert!(people.outlooks[1].0.iter().all(|&rate| rate <= 0.0));
    assert!(people.outlooks[0].0.iter().all(|rate| (0.0..1.0).contains(rate)));
}

/// The program itself writes beside the record where nothing else is said.
#[test]
fn the_tool_writes_a_page() {
    let folder = std::env::temp_dir().join(format!("tenbin-analysis-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let usi = folder.join("棋譜.usi");
    std::fs::write(&usi, "position startpos moves 7g7f 3c3d 8h2b+ 3a2b\n").expect("writable");
    let run = |arguments: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_tenbin")).args(arguments).output().expect("it runs")
    };
    let name = usi.display().to_string();
    let output = run(&["analyse", &name, "--playouts", "5", "--hash", "16"]);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("棋譜.html"), "the name is told as it is");
    let page = std::fs::read_to_string(folder.join("棋譜.html")).expect("a page");
    assert!(page.contains("△同銀"), "the line is played out");
    for bad in [
        &["analyse", "nothing.kif"][..],
        &["analyse", &name, "--lang", "fr"],
        &["analyse", &name, "--rating", "99"],
        &["analyse", &name, "--out", "/no/x.html"],
    ] {
        let output = run(bad);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{output:?}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
