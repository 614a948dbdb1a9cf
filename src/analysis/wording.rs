//! What the page says, in Japanese and English.

use crate::human::outlook::Lead;
use crate::search::Score;
use crate::shogi::{Color, Kind, Move, Position, Walker};

/// The language of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// 日本語
    Japanese,
    /// English
    English,
}

impl std::str::FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "ja" => Ok(Self::Japanese),
            "en" => Ok(Self::English),
            _ => Err("neither ja nor en".to_owned()),
        }
    }
}

/// All fixed words of a page.
pub struct Words {
    /// For the `lang` of the page.
    pub code: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who moves first and second.
    pub sides: [&'static str; 2],
    /// The same in a game with odds: who gets them and who gives them.
    pub sides_at_odds: [&'static str; 2],
    /// Over the graph.
    pub graph: &'static str,
    /// The buttons.
    pub buttons: [&'static str; 4],
    /// How to step.
    pub hint: &'static str,
    /// Over the graph of ratings, over the list of where it matters most, and where it matters nowhere.
    pub people: [&'static str; 3],
    /// The heads of that list's first column and last.
    pub differences: [&'static str; 2],
    /// What the ratings are.
    pub ratings: &'static str,
    /// Names of what is shown of a position.
    pub win_rate: &'static str,
    /// The score.
    pub score: &'static str,
    /// The best line.
    pub best: &'static str,
    /// Playouts.
    pub playouts: &'static str,
    /// What stands for playouts where a mate is known.
    pub proved: &'static str,
    /// What a move cost.
    pub loss: &'static str,
    /// The start.
    pub start: &'static str,
    /// Over the list of moves, and the heads of its columns, that of the win rate apart.
    pub moves: [&'static str; 4],
    /// Over the turning points, and where there are none.
    pub turning: [&'static str; 2],
    /// What was played, and what was better.
    pub played: [&'static str; 2],
    /// Over the mates missed, and where there are none.
    pub mates: [&'static str; 2],
    /// The rows of the summary: agreement, mean loss, doubtful moves, bad moves.
    pub summary: [&'static str; 4],
    /// Under the page.
    pub footer: &'static str,
}

const JAPANESE: Words = Words {
    code: "ja",
    title: "棋譜解析",
    sides: ["先手", "後手"],
    sides_at_odds: ["下手", "上手"],
    graph: "勝率グラフ",
    people: ["棋力別の勝率", "棋力で勝率が大きく変わる局面", "棋力で勝率が大きく変わる局面はありません。"],
    differences: ["局面", "形勢"],
    ratings: "同じレーティングの二人がここから指し継いだときの勝率の推定です。レーティングは強さの違う 11 のプレイヤーで測ったもので、道場や対局サイトの数字とは違います。",
    buttons: ["最初", "一手戻る", "一手進む", "最後"],
    hint: "← → キー、グラフや指し手のクリックでも動きます",
    win_rate: "勝率",
    score: "評価値",
    best: "最善手順",
    playouts: "プレイアウト",
    proved: "詰みを読み切り",
    loss: "勝率の損",
    start: "開始局面",
    moves: ["指し手", "手数", "指し手", "損"],
    turning: ["勝負の分かれ目", "大きく形勢を損ねた手はありません。"],
    played: ["実戦", "最善"],
    mates: ["逃した詰み", "逃した詰みはありません。"],
    summary: ["最善手との一致", "一手平均の損", "疑問手 (10% 以上の損)", "悪手 (20% 以上の損)"],
    footer: "勝率と評価値は天秤 (Tenbin) の探索によるものです。プレイアウトが多いほど確かになります。",
};

const ENGLISH: Words = Words {
    code: "en",
    title: "Game analysis",
    sides: ["Black", "White"],
    sides_at_odds: ["Black", "White"],
    graph: "Win rate",
    people: [
        "Win rate by rating",
        "Where the rating matters most",
        "The rating matters little in this game.",
    ],
    differences: ["Position", "Lead"],
    ratings: "An estimate of who wins when two players of the same rating play on. The ratings are those of eleven players of different strength, not of a club or a server.",
    buttons: ["First", "Back", "Next", "Last"],
    hint: "Arrow keys, and clicks on the graph or a move, step too",
    win_rate: "Win rate",
    score: "Score",
    best: "Best line",
    playouts: "Playouts",
    proved: "not needed: the mate is proved",
    loss: "Win rate lost",
    start: "Start",
    moves: ["Moves", "No.", "Move", "Loss"],
    turning: ["Turning points", "No move cost much."],
    played: ["Played", "Best"],
    mates: ["Mates missed", "No mate was missed."],
    summary: [
        "Agrees with the engine",
        "Mean loss of a move",
        "Doubtful moves (lost 10 % or more)",
        "Bad moves (lost 20 % or more)",
    ],
    footer: "Win rates and scores are from a search by Tenbin. The more playouts, the surer they are.",
};

impl Language {
    /// The fixed words.
    pub fn words(self) -> &'static Words {
        match self {
            Self::Japanese => &JAPANESE,
            Self::English => &ENGLISH,
        }
    }

    /// A move as players write it.
    pub fn mv(self, position: &Position, mv: Move) -> String {
        let written = match self {
            // Without the space of columns, at which lines would break.
            Self::Japanese => mv.to_ki2(position).map(|text| text.replace('\u{3000}', "")),
            Self::English => None,
        };
        written.unwrap_or_else(|| english(position, mv))
    }

    /// The moves of a line.
    pub fn line(self, walker: &Walker, moves: &[Move]) -> Vec<String> {
        let mut walker = walker.fork();
        let mut words = Vec::new();
        for &mv in moves {
            words.push(self.mv(walker.position(), mv));
            walker.apply(mv);
        }
        words
    }

    /// Whose win rate it is.
    pub fn win_rate_of(self, side: &str) -> String {
        match self {
            Self::Japanese => format!("{side}の勝率"),
            Self::English => format!("{side}'s win rate"),
        }
    }

    /// Whose lead it is and how safe.
    pub fn lead(self, lead: Lead, side: &str) -> String {
        match (self, lead) {
            (Self::Japanese, Lead::None) => "互角".to_owned(),
            (Self::Japanese, Lead::Safe) => format!("{side}の優勢は棋力によらず確か"),
            (Self::Japanese, Lead::Sharp) => format!("{side}の優勢は棋力が高いほど確か"),
            (Self::Japanese, Lead::ForExperts) => format!("{side}の優勢は上級者どうしに限る"),
            (Self::Japanese, Lead::AgainstBeginners) => format!("{side}の優勢は棋力が低いほど大きい"),
            (Self::English, Lead::None) => lead.name().to_owned(),
            (Self::English, _) => format!("{side}'s lead: {}", lead.name()),
        }
    }

    /// What stands before the best move that a player of a rating finds.
    pub fn found(self, rating: u16) -> String {
        match self {
            Self::Japanese => format!("R{rating} なら"),
            Self::English => format!("Best at {rating}"),
        }
    }

    /// How often players of a rating play a move, and what it costs, both in per cent.
    pub fn find(self, share: f32, lost: i64) -> String {
        let share = 100.0 * share;
        match self {
            Self::Japanese => format!("({share:.0}% が指す、損 {lost}%)"),
            Self::English => format!("({share:.0}% play it, costs {lost}%)"),
        }
    }

    /// A score from Black's view.
    pub fn score(self, score: Score, turn: Color) -> String {
        let black = turn == Color::Black;
        match (score, self) {
            (Score::Cp(cp), _) => format!("{:+}", if black { cp } else { -cp }),
            (Score::Mates(plies), Self::Japanese) => format!("{plies}手で詰み"),
            (Score::Mated(plies), Self::Japanese) => format!("{plies}手で詰まされる"),
            (Score::Mates(plies), Self::English) => format!("mates in {plies}"),
            (Score::Mated(plies), Self::English) => format!("is mated in {plies}"),
        }
    }

    /// The number of a move.
    pub fn number(self, number: usize) -> String {
        match self {
            Self::Japanese => format!("{number}手目"),
            Self::English => format!("Move {number}"),
        }
    }

    /// How many playouts there were, and how many began with the best move.
    pub fn playouts(self, all: u64, behind: u64) -> String {
        let (all, behind) = (grouped(all), grouped(behind));
        match self {
            Self::Japanese => format!("{all} 回 (最善手に {behind} 回)"),
            Self::English => format!("{all} ({behind} for the best move)"),
        }
    }

    /// That a mate was missed.
    pub fn missed(self, plies: u32) -> String {
        match self {
            Self::Japanese => format!("{plies}手詰を逃す"),
            Self::English => format!("missed a mate in {plies}"),
        }
    }

    /// How far the analysis got where it did not reach the end.
    pub fn part(self, done: usize, all: usize) -> String {
        match self {
            Self::Japanese => format!("全{all}手のうち{done}手目まで解析しました。"),
            Self::English => format!("Analysed up to move {done} of {all}."),
        }
    }
}

/// A move as Western players write it, with the square it comes from.
fn english(position: &Position, mv: Move) -> String {
    let to = mv.to_sq().to_usi();
    if let Some(kind) = mv.dropped_piece() {
        return format!("{}*{to}", letter(kind));
    }
    let piece = letter(position.piece_on(mv.from_sq()).piece_type());
    let sign = if position.piece_on(mv.to_sq()).is_empty() { '-' } else { 'x' };
    let promotion = if mv.is_promotion() { "+" } else { "" };
    format!("{piece}{}{sign}{to}{promotion}", mv.from_sq().to_usi())
}

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::PAWN => "P",
        Kind::LANCE => "L",
        Kind::KNIGHT => "N",
        Kind::SILVER => "S",
        Kind::GOLD => "G",
        Kind::BISHOP => "B",
        Kind::ROOK => "R",
        Kind::KING => "K",
        Kind::PRO_PAWN => "+P",
        Kind::PRO_LANCE => "+L",
        Kind::PRO_KNIGHT => "+N",
        Kind::PRO_SILVER => "+S",
        Kind::HORSE => "+B",
        _ => "+R",
    }
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
