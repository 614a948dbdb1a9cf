//! Features in words, for people who want to see what was learned.

use super::features::{COUNT, FAMILIES};

/// A feature as the name of its family and its place in it.
pub fn describe(feature: usize) -> String {
    let family = FAMILIES.iter().rev().find(|(_, start)| *start <= feature);
    match family {
        Some((name, start)) if feature < COUNT => {
            format!("{} {}", name.to_ascii_lowercase().replace('_', "-"), words(name, feature - start))
        }
        _ => format!("feature {feature}"),
    }
}

/// Kinds as features number them.
const KINDS: [&str; 14] = ["P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"];

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

/// Files aside and ranks behind (positive) or ahead (negative), as seen from the other square.
fn offset(number: usize) -> String {
    format!("±{},{:+}", number / 17, (number % 17) as i32 - 8)
}

/// What the place in a family means.
fn words(family: &str, mut place: usize) -> String {
    // Sizes of the parts, the last first.
    let mut part = |size: usize| {
        let number = place % size;
        place /= size;
        number
    };
    match family {
        "TO" => {
            let to = square(part(81));
            format!("{} to {to}", actor(part(27)))
        }
        "OWN_KING" | "ENEMY_KING" => {
            let at = offset(part(153));
            format!("{} at {at}", actor(part(27)))
        }
        "STORM" | "GUARD" => {
            let (supported, attacked, at) = (part(3), part(3), offset(part(153)));
            format!("{} at {at}, attacked {attacked}, supported {supported}", actor(part(27)))
        }
        "OWN_KING_TO" | "ENEMY_KING_TO" => {
            let (to, who) = (square(part(81)), actor(part(27)));
            format!("{who} to {to}, king on {}", square(part(81)))
        }
        "OWN_KING_FROM" | "ENEMY_KING_FROM" => {
            let (from, who) = (square(part(81)), KINDS[part(14)]);
            format!("{who} from {from}, king on {}", square(part(81)))
        }
        "FROM_TO" => {
            let (to, from) = (square(part(81)), square(part(81)));
            format!("{} {from} to {to}", KINDS[part(14)])
        }
        "EXCHANGE" => {
            let (lesser, supported, attacked, captured) = (part(2), part(3), part(3), part(15));
            let taken = captured.checked_sub(1).map_or("nothing", |kind| KINDS[kind]);
            let by = if lesser == 1 { " by a lesser piece" } else { "" };
            format!("{} takes {taken}, attacked {attacked}{by}, supported {supported}", actor(part(27)))
        }
        "REPLY" | "FOLLOW" => {
            let (kind, at) = (KINDS[part(14)], offset(part(153)));
            format!("{} at {at} from a moved {kind}", actor(part(27)))
        }
        "LEAVE" => {
            let (kind, at) = (KINDS[part(14)], offset(part(153)));
            format!("{} leaves {at} from a moved {kind}", KINDS[part(14)])
        }
        "CHECK" => {
            let (left, supported, attacked, near) = (part(4), part(3), part(3), part(2));
            let how = if near == 1 { "near" } else { "far" };
            format!("{} {how}, attacked {attacked}, supported {supported}, {left} left", actor(part(27)))
        }
        "ATTACK" => {
            let (protected, kind) = (part(2), KINDS[part(14)]);
            let how = if protected == 1 { "protected" } else { "loose" };
            format!("{} on {how} {kind}", actor(part(27)))
        }
        "PROTECT" | "NEGLECT" => {
            let kind = KINDS[part(14)];
            format!("{}: {kind}", actor(part(27)))
        }
        "NEIGHBOUR" => {
            let (content, direction) = (part(30), part(5));
            let what = match content {
                0 => "nothing".to_owned(),
                1 => "edge".to_owned(),
                _ => format!("{} {}", ["own", "enemy"][content % 2], KINDS[(content - 2) / 2]),
            };
            let side = ["ahead", "ahead aside", "aside", "behind aside", "behind"][direction];
            format!("{}, {what} {side}", actor(part(27)))
        }
        _ => place.to_string(),
    }
}
