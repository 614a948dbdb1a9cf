//! Features in words, for people who want to see what was learned.

use super::features::{COUNT, FAMILIES, HASHED_FAMILIES, KIND_LANES, LANES, TOTAL};

/// A feature as the name of its family and what it says.
pub fn describe(feature: usize) -> String {
    let family =
        HASHED_FAMILIES.iter().rev().chain(FAMILIES.iter().rev()).find(|(_, start)| *start <= feature);
    let Some((name, start)) = family else { return format!("feature {feature}") };
    let words = match feature {
        0..COUNT => words(name, feature - start),
        COUNT..TOTAL => format!("number {}", feature - start),
        _ => "none".to_owned(),
    };
    format!("{}: {words}", name.to_ascii_lowercase().replace('_', "-"))
}

/// Kinds as features number them.
const KINDS: [&str; 14] = ["P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"];

/// The least attackers as features number them.
const LEAST: [&str; 8] =
    ["nobody", "a king", "a rook or bishop", "a gold", "a silver", "N or L", "a pawn", "?"];

/// How pieces stand as features number it.
const STANDS: [&str; 4] = ["safe", "held", "attacked by less", "alone"];

fn kind(number: usize) -> &'static str {
    KINDS.get(number).copied().unwrap_or("nothing")
}

/// Who moves and how: `S` moves, `S+` promotes, `S*` is dropped.
fn actor(number: usize) -> String {
    match number {
        0..14 => KINDS[number].to_owned(),
        14..20 => format!("{}+", KINDS[number - 14]),
        _ => format!("{}*", KINDS[(number - 20).min(6)]),
    }
}

fn square(number: usize) -> String {
    format!("{}{}", number / 9 + 1, char::from(b'a' + (number % 9) as u8))
}

/// Files aside and ranks behind or ahead, as seen from the other square.
fn offset(number: usize) -> String {
    let (files, ranks) = (number / 17, (number % 17) as i32 - 8);
    format!("{files} aside {} {}", ranks.abs(), if ranks > 0 { "behind" } else { "ahead" })
}

/// Which sliders look there.
fn sliders(number: usize) -> String {
    let names: String = ["L", "B", "R"]
        .iter()
        .enumerate()
        .filter(|(bit, _)| number >> bit & 1 == 1)
        .map(|(_, name)| *name)
        .collect();
    if names.is_empty() { "none".to_owned() } else { names }
}

/// What stands on a square near by, and who attacks it.
fn content(number: usize) -> String {
    let what = match number / 4 {
        0 => "nothing".to_owned(),
        1 => "the edge".to_owned(),
        piece => format!("{} {}", ["own", "enemy"][piece % 2], kind((piece - 2) / 2)),
    };
    format!("{what}{}", ["", " (own reach)", " (enemy reach)", " (both reach)"][number % 4])
}

fn direction(number: usize) -> &'static str {
    let names =
        ["ahead", "ahead aside", "aside", "behind aside", "behind", "two ahead", "a knight's jump ahead"];
    names.get(number).copied().unwrap_or("?")
}

/// The parts of a number, the last first.
struct Parts(usize);

impl Parts {
    fn part(&mut self, size: usize) -> usize {
        let number = self.0 % size;
        self.0 /= size;
        number
    }
}

/// What the place in a family means.
fn words(family: &str, place: usize) -> String {
    let mut rest = Parts(place);
    match family {
        "FROM_TO" => {
            let (to, from) = (square(rest.part(81)), square(rest.part(81)));
            format!("{} {from} to {to}", kind(rest.part(14)))
        }
        "OWN_KING_FROM" | "ENEMY_KING_FROM" | "LEAVE" | "AGAIN" | "LEFT" | "LINES_FROM" | "ESCAPE" => {
            let who = kind(rest.part(KIND_LANES));
            format!("{who} {}", of_origin(family, rest))
        }
        _ => {
            let who = actor(rest.part(LANES));
            format!("{who} {}", of_actor(family, rest))
        }
    }
}

/// What a row of an origin means.
fn of_origin(family: &str, mut rest: Parts) -> String {
    match family {
        "OWN_KING_FROM" | "ENEMY_KING_FROM" => {
            let from = square(rest.part(81));
            format!("from {from}, king on {}", square(rest.part(81)))
        }
        "LEAVE" | "AGAIN" => {
            let at = offset(rest.part(153));
            format!("from {at} of a moved {}", kind(rest.part(14)))
        }
        "LEFT" => {
            let what = content(rest.part(120));
            format!("from where {what} is {}", direction(rest.part(7)))
        }
        "LINES_FROM" => {
            let own = sliders(rest.part(8));
            format!("from where own {own}, enemy {} look", sliders(rest.part(8)))
        }
        _ => {
            let (chased, held) = (rest.part(2), rest.part(2));
            let how = ["loose", "held"][held];
            let last = ["", ", by what just moved"][chased];
            format!("from where {} attacks it, {how}{last}", LEAST[rest.part(7)])
        }
    }
}

/// What a row of a destination or of the position means.
fn of_actor(family: &str, mut rest: Parts) -> String {
    match family {
        "TO" => format!("to {}", square(rest.part(81))),
        "OWN_KING" | "ENEMY_KING" => format!("at {}", offset(rest.part(153))),
        "OWN_KING_TO" | "ENEMY_KING_TO" => {
            let to = square(rest.part(81));
            format!("to {to}, king on {}", square(rest.part(81)))
        }
        "OWN_ROOK_TO" | "ENEMY_ROOK_TO" => {
            let to = square(rest.part(81));
            match rest.part(10) {
                9 => format!("to {to}, not one rook on the board"),
                file => format!("to {to}, rook on file {}", file + 1),
            }
        }
        "BISHOPS_TO" => {
            let to = square(rest.part(81));
            let hands = ["no hand", "the enemy's hand", "the own hand", "both hands"];
            format!("to {to}, bishop in {}", hands[rest.part(4)])
        }
        "STORM" | "GUARD" => {
            let (supported, attacked) = (rest.part(3), rest.part(3));
            let (at, pressed) = (offset(rest.part(153)), rest.part(4));
            format!("at {at}, attacked {attacked}, supported {supported}, king pressed {pressed}")
        }
        "EXCHANGE" => {
            let (least, more, own) = (rest.part(8), rest.part(2), rest.part(4));
            let taken = rest.part(15).checked_sub(1).map_or("nothing", kind);
            let more = ["", " and more"][more];
            format!("takes {taken}, attacked by {}{more}, own {}", LEAST[least], [0, 1, 0, 2][own])
        }
        "REPLY" => {
            let (at, how) = (offset(rest.part(153)), ["moved", "capturing"][rest.part(2)]);
            format!("at {at} of a {how} {}", kind(rest.part(14)))
        }
        "FOLLOW" | "WAKE" => {
            let at = offset(rest.part(153));
            format!("at {at} of a moved {}", kind(rest.part(14)))
        }
        "LINES_TO" => {
            let own = sliders(rest.part(8));
            format!("where own {own}, enemy {} look", sliders(rest.part(8)))
        }
        "NEIGHBOUR" => {
            let what = content(rest.part(120));
            format!("with {what} {}", direction(rest.part(7)))
        }
        "OPPOSITES" => {
            let (other, one) = (content(4 * rest.part(30)), content(4 * rest.part(30)));
            let pair = ["ahead and behind", "ahead aside", "aside", "behind aside"];
            format!("between {one} and {other}, {}", pair[rest.part(4)])
        }
        "RESCUE" => format!("helps a {}", kind(rest.part(14))),
        "PROTECT" => format!("protects a {}", kind(rest.part(14))),
        "NEGLECT" => format!("leaves {} in danger", kind(rest.part(15))),
        "HOLD" => {
            let what = ["P", "L", "N", "S", "B", "R", "G"][rest.part(7)];
            format!("with {what} in {} hand", ["the own", "the enemy's"][rest.part(2)])
        }
        "HANDS" => {
            let enemy = rest.part(4);
            format!("with {} pieces in hand, the enemy {enemy}", rest.part(4))
        }
        "STOCK" => format!("of {}", rest.part(4) + 1),
        "URGENCY" => {
            let (near_own, near_enemy) = (rest.part(2), rest.part(2));
            let (enemy, own) = (rest.part(4), rest.part(4));
            let near = ["", ", near the own king"][near_own];
            let there = ["", ", near the enemy king"][near_enemy];
            format!("with kings pressed {own} and {enemy}{near}{there}")
        }
        _ => of_deed(family, rest),
    }
}

/// What a row of what the piece does where it goes means.
fn of_deed(family: &str, mut rest: Parts) -> String {
    match family {
        "RING" | "SHELTER" => {
            let state = rest.part(4);
            let what = if family == "RING" { "left" } else { "pressed" };
            format!("reaches {} squares next to the king, {state} {what}", rest.part(6))
        }
        "MOBILITY" => format!("reaches {} squares", rest.part(16)),
        "FORK" => {
            let stands = STANDS[rest.part(4)];
            format!("attacks {} of worth, {stands}", rest.part(4))
        }
        "ATTACK" | "CHASE" => {
            let (stands, protected) = (STANDS[rest.part(4)], rest.part(2));
            format!("attacks a {} {}, {stands}", ["loose", "protected"][protected], kind(rest.part(14)))
        }
        "CHECK" => {
            let (left, stands, near) = (rest.part(4), STANDS[rest.part(4)], rest.part(2));
            format!("from {}, {stands}, {left} squares left", ["afar", "next to the king"][near])
        }
        "MATE" => ["at once", "in three plies"][rest.part(2)].to_owned(),
        "PARRY" => {
            let many = ["one parries", "two or three parry", "some parry", "many parry"][rest.part(4)];
            let parries = rest.part(2);
            let why = ["a mate threatened", "a check"][rest.part(2)];
            format!("{} {why}, {many}", ["does not parry", "parries"][parries])
        }
        "EVASION" => {
            let stands = STANDS[rest.part(4)];
            format!("{}, {stands}", ["takes", "interposes", "steps"][rest.part(3)])
        }
        "FLIGHT" => {
            let (takes, will) = (rest.part(2), STANDS[rest.part(4)]);
            let how = ["", ", taking"][takes];
            format!("was {}, will be {will}{how}", STANDS[rest.part(4)])
        }
        _ => String::new(),
    }
}
