//! The page: everything in one file, so that it opens without a network and can be handed on.

use serde::Serialize;
use std::fmt::Write;

use super::board::{self, Marks};
use super::graph::Graph;
use super::people::{CURVES, Find, People, leader};
use super::wording::{Language, Words};
use super::{Analysis, Judgement, TURNING_POINTS, Verdict, for_black};
use crate::search::Score;
use crate::shogi::{Color, STARTPOS, Walker};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a doubtful and a bad move cost.
const DOUBTFUL: f64 = 0.1;
const BAD: f64 = 0.2;

/// Moves of a line that are shown, mates apart.
const LINE: usize = 12;

/// What the script shows of a position.
#[derive(Serialize)]
struct Shown {
    board: String,
    title: String,
    rate: String,
    /// Black's share in per cent, for the bar.
    share: Option<f64>,
    ratings: String,
    score: String,
    best: String,
    playouts: String,
    loss: String,
}

/// Makes the page.
pub fn page(analysis: &Analysis, language: Language) -> String {
    Page::new(analysis, language).text()
}

struct Page<'a> {
    analysis: &'a Analysis,
    language: Language,
    words: &'static Words,
    walkers: Vec<Walker>,
    verdicts: Vec<Verdict>,
    sides: [&'static str; 2],
    points: Vec<usize>,
}

impl<'a> Page<'a> {
    fn new(analysis: &'a Analysis, language: Language) -> Self {
        let (words, walkers) = (language.words(), analysis.walkers());
        let start = walkers[0].position();
        let odds = start.to_sfen(Some(1)) != STARTPOS && start.turn() == Color::White;
        Self {
            analysis,
            language,
            words,
            verdicts: analysis.verdicts(),
            sides: if odds { words.sides_at_odds } else { words.sides },
            points: analysis.turning_points(TURNING_POINTS.0, TURNING_POINTS.1),
            walkers,
        }
    }

    fn text(&self) -> String {
        let words = self.words;
        let names = self.names();
        let title = format!("{} {} - {}", words.title, names[0], names[1]);
        let rates: Vec<f64> =
            (0..self.analysis.judgements.len()).filter_map(|place| self.rate(place)).collect();
        let after: Vec<usize> = self.points.iter().map(|place| place + 1).collect();
        let black = self.language.win_rate_of(self.sides[0]);
        let graph = Graph::new("graph", self.analysis.game.moves.len(), &black)
            .area(&rates)
            .curve(&rates, "rate")
            .points(&rates, &after)
            .finish();
        let [first, back, next, last] = words.buttons;
        // What ends a script inside a text would end it for the browser.
        let data = serde_json::to_string(&self.shown()).unwrap_or_default().replace("</", "<\\/");
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <link rel=\"icon\" href=\"data:,\"><title>{title}</title><style>{STYLE}</style></head><body>\n{}\n\
             <header><h1>{}</h1><p class=\"players\">☗ {} <span>—</span> ☖ {}</p>{}</header>\n{}\
             <section><h2>{} <small>{}</small></h2>{graph}</section>\n\
             <section class=\"viewer\"><div><svg id=\"view\" class=\"board\" viewBox=\"{}\"></svg>\
             <nav><button id=\"first\" title=\"{first}\">|◀ {first}</button><button id=\"back\" title=\"{back}\">◀ {back}</button>\
             <button id=\"next\" title=\"{next}\">{next} ▶</button><button id=\"last\" title=\"{last}\">{last} ▶|</button></nav>\
             <p class=\"hint\">{}</p></div>\n<div class=\"side\">{}{}</div></section>\n{}{}{}\
             <footer>{}</footer>\n<script id=\"data\" type=\"application/json\">{data}</script><script>{SCRIPT}</script>\
             </body></html>\n",
            words.code,
            board::definitions(),
            words.title,
            names[0],
            names[1],
            self.part(),
            self.summary(),
            words.graph,
            black,
            board::VIEW,
            words.hint,
            self.details(),
            self.moves(),
            self.people(),
            self.turning(),
            self.mates(),
            words.footer,
        )
    }

    fn names(&self) -> [String; 2] {
        let name = |i: usize| self.analysis.names[i].as_deref().map_or(self.sides[i].to_owned(), escape);
        [name(0), name(1)]
    }

    /// That the end was not reached.
    fn part(&self) -> String {
        let (done, all) = (self.analysis.judgements.len(), self.analysis.game.moves.len());
        if done > all {
            return String::new();
        }
        format!("<p class=\"part\">{}</p>", self.language.part(done.saturating_sub(1), all))
    }

    fn judgement(&self, place: usize) -> Option<&Judgement> {
        self.analysis.judgements.get(place)
    }

    /// Black's win rate before a move.
    fn rate(&self, place: usize) -> Option<f64> {
        Some(for_black(self.judgement(place)?.win_rate(), self.walkers[place].turn()))
    }

    /// The move that led to a position.
    fn led_by(&self, place: usize) -> Option<crate::shogi::Move> {
        place.checked_sub(1).map(|before| self.analysis.game.moves[before].mv)
    }

    /// A move of the game by its place, as players write it.
    fn written(&self, place: usize) -> String {
        self.language.mv(self.walkers[place].position(), self.analysis.game.moves[place].mv)
    }

    fn title(&self, place: usize) -> String {
        match place.checked_sub(1) {
            None => self.words.start.to_owned(),
            Some(before) => format!("{} {}", self.language.number(place), self.written(before)),
        }
    }

    /// The best line, each move in a piece that does not break.
    fn best_line(&self, place: usize) -> String {
        let Some(judgement) = self.judgement(place) else { return String::new() };
        let mate = !matches!(judgement.score, Score::Cp(_));
        let length = if mate { judgement.best.len() } else { judgement.best.len().min(LINE) };
        let moves = self.language.line(&self.walkers[place], &judgement.best[..length]);
        moves.iter().map(|mv| format!("<span class=\"move\">{mv}</span>")).collect::<Vec<_>>().join(" ")
    }

    fn score(&self, place: usize) -> String {
        let turn = self.walkers[place].turn();
        let Some(judgement) = self.judgement(place) else { return String::new() };
        let text = self.language.score(judgement.score, turn);
        match judgement.score {
            Score::Cp(_) => text,
            _ => format!("{} {text}", self.sides[turn.to_index()]),
        }
    }

    /// What the judgement of a position rests on.
    fn playouts(&self, place: usize) -> String {
        match self.judgement(place) {
            Some(found) if found.best.is_empty() => String::new(),
            Some(Judgement { score: Score::Cp(_), playouts, behind, .. }) => {
                self.language.playouts(*playouts, *behind)
            }
            Some(_) => self.words.proved.to_owned(),
            None => String::new(),
        }
    }

    fn shown(&self) -> Vec<Shown> {
        (0..self.walkers.len())
            .map(|place| {
                let rate = self.rate(place);
                let before = place.checked_sub(1);
                let verdict = before.and_then(|before| Some((before, self.verdicts.get(before)?)));
                Shown {
                    board: self.board(place, [None; 3]),
                    title: self.title(place),
                    rate: rate.map_or_else(String::new, |rate| {
                        format!(
                            "{} {} / {} {}",
                            self.sides[0],
                            percent(rate),
                            self.sides[1],
                            percent(1.0 - rate)
                        )
                    }),
                    share: rate.map(|rate| (1000.0 * rate).round() / 10.0),
                    ratings: self.analysis.people.as_ref().map_or_else(String::new, |people| {
                        let rates = CURVES.iter().zip(self.by_rating(people, place));
                        rates
                            .map(|(rating, rate)| format!("{rating} {}", percent(rate)))
                            .collect::<Vec<_>>()
                            .join(" / ")
                    }),
                    score: self.score(place),
                    best: self.best_line(place),
                    playouts: self.playouts(place),
                    loss: verdict.map_or_else(String::new, |(before, verdict)| self.loss(before, verdict)),
                }
            })
            .collect()
    }

    fn board(&self, place: usize, arrows: [Option<crate::shogi::Move>; 3]) -> String {
        let marks = Marks { last: self.led_by(place), arrows };
        board::draw(self.walkers[place].position(), &marks, self.sides)
    }

    fn loss(&self, place: usize, verdict: &Verdict) -> String {
        let lost = format!("{}%", self.lost(place, verdict));
        match verdict.missed_mate {
            Some(plies) => format!("{lost} ({})", self.language.missed(plies)),
            None => lost,
        }
    }

    /// The loss of a move in per cent: the difference of the rounded rates, which readers see and take from each other.
    fn lost(&self, place: usize, verdict: &Verdict) -> i64 {
        let rounded = |place| self.rate(place).map_or(0, |rate| (100.0 * rate).round() as i64);
        if verdict.loss > 0.0 { (rounded(place) - rounded(place + 1)).abs() } else { 0 }
    }

    fn summary(&self) -> String {
        let mut rows = String::new();
        let names = self.names();
        let mut columns: [Vec<String>; 2] = [Vec::new(), Vec::new()];
        for (side, column) in [Color::Black, Color::White].into_iter().zip(&mut columns) {
            let own: Vec<&Verdict> = self
                .verdicts
                .iter()
                .enumerate()
                .filter(|&(place, _)| self.walkers[place].turn() == side)
                .map(|(_, verdict)| verdict)
                .collect();
            if own.is_empty() {
                column.resize(self.words.summary.len(), "–".to_owned());
                continue;
            }
            let count = own.len() as f64;
            let number = |test: &dyn Fn(&Verdict) -> bool| own.iter().filter(|verdict| test(verdict)).count();
            column.push(percent(number(&|verdict| verdict.is_best) as f64 / count));
            column
                .push(format!("{:.1}%", 100.0 * own.iter().map(|verdict| verdict.loss).sum::<f64>() / count));
            column.push(number(&|verdict| (DOUBTFUL..BAD).contains(&verdict.loss)).to_string());
            column.push(number(&|verdict| verdict.loss >= BAD).to_string());
        }
        for (i, name) in self.words.summary.iter().enumerate() {
            let _ =
                write!(rows, "<tr><th>{name}</th><td>{}</td><td>{}</td></tr>", columns[0][i], columns[1][i]);
        }
        format!(
            "<section><table class=\"summary\"><tr><th></th><th>☗ {}</th><th>☖ {}</th></tr>{rows}</table></section>\n",
            names[0], names[1]
        )
    }

    fn details(&self) -> String {
        let words = self.words;
        let mut rows = String::new();
        let ratings = self.analysis.people.as_ref().map(|_| ("ratings", words.people[0]));
        for (id, name) in [("rate", words.win_rate)].into_iter().chain(ratings).chain([
            ("score", words.score),
            ("loss", words.loss),
            ("best", words.best),
            ("playouts", words.playouts),
        ]) {
            let _ = write!(rows, "<dt>{name}</dt><dd id=\"{id}\"></dd>");
        }
        format!("<h2 id=\"title\"></h2><div class=\"bar\"><i id=\"bar\"></i></div><dl>{rows}</dl>")
    }

    fn moves(&self) -> String {
        let [head, number, name, loss] = self.words.moves;
        let rate = self.language.win_rate_of(self.sides[0]);
        let mut rows =
            format!("<tr data-place=\"0\"><td>0</td><td>{}</td>{}</tr>", self.words.start, self.cells(0));
        for place in 1..self.walkers.len() {
            let class = match self.verdicts.get(place - 1) {
                Some(verdict) if verdict.loss >= BAD => " class=\"bad\"",
                Some(verdict) if verdict.loss >= DOUBTFUL => " class=\"doubtful\"",
                _ => "",
            };
            let written = self.written(place - 1);
            let _ = write!(
                rows,
                "<tr data-place=\"{place}\"{class}><td>{place}</td><td>{written}</td>{}</tr>",
                self.cells(place)
            );
        }
        format!(
            "<h3>{head}</h3><div class=\"moves\"><table id=\"moves\"><thead><tr><th>{number}</th><th>{name}</th>\
             <th>{rate}</th><th>{loss}</th></tr></thead><tbody>{rows}</tbody></table></div>"
        )
    }

    /// The win rate and the loss of a row.
    fn cells(&self, place: usize) -> String {
        let rate = self.rate(place).map_or_else(String::new, percent);
        let before = place.checked_sub(1);
        let lost = before.and_then(|before| Some(self.lost(before, self.verdicts.get(before)?)));
        let loss = lost.filter(|&lost| lost > 0).map_or_else(String::new, |lost| format!("{lost}%"));
        format!("<td>{rate}</td><td>{loss}</td>")
    }

    /// Black's win rates between players of [`CURVES`].
    fn by_rating(&self, people: &People, place: usize) -> [f64; CURVES.len()] {
        let turn = self.walkers[place].turn();
        people.outlooks[place].0.map(|rate| for_black(rate, turn))
    }

    /// What the game is worth to players of other ratings.
    fn people(&self) -> String {
        let Some(people) = &self.analysis.people else { return String::new() };
        let ([head, list, none], [position, lead]) = (self.words.people, self.words.differences);
        let places = 0..people.outlooks.len();
        let rates: Vec<[f64; CURVES.len()]> = places.map(|place| self.by_rating(people, place)).collect();
        let black = self.language.win_rate_of(self.sides[0]);
        let mut graph = Graph::new("by-rating", self.analysis.game.moves.len(), head);
        let (mut keys, mut heads) = (String::new(), String::new());
        for (i, rating) in CURVES.iter().enumerate() {
            let curve: Vec<f64> = rates.iter().map(|rates| rates[i]).collect();
            graph = graph.curve(&curve, &format!("rating rating{i}"));
            let _ = write!(keys, "<span class=\"key rating{i}\">{rating}</span>");
            let _ = write!(heads, "<th>{rating}</th>");
        }
        let mut rows = String::new();
        for place in people.differences() {
            let outlook = &people.outlooks[place].1;
            let side = self.sides[leader(outlook, self.walkers[place].turn()).to_index()];
            let cells = rates[place].map(|rate| format!("<td>{}</td>", percent(rate))).concat();
            let lead = self.language.lead(outlook.lead, side);
            let title = self.title(place);
            let _ = write!(rows, "<tr data-place=\"{place}\"><td>{title}</td>{cells}<td>{lead}</td></tr>");
        }
        let table = if rows.is_empty() {
            format!("<p>{none}</p>")
        } else {
            format!(
                "<h3>{list}</h3><table><thead><tr><th>{position}</th>{heads}<th>{lead}</th></tr></thead><tbody>{rows}</tbody></table>"
            )
        };
        format!(
            "<section id=\"people\"><h2>{head} <small>{black}</small><small>{keys}</small></h2>{}{table}\
             <p class=\"small\">{}</p></section>\n",
            graph.finish(),
            self.words.ratings
        )
    }

    /// What a player of the rating finds at a turning point.
    fn find(&self, find: &Find) -> String {
        let Some(judgement) = self.judgement(find.place) else { return String::new() };
        let rounded = |rate: f64| (100.0 * rate).round() as i64;
        let lost = rounded(judgement.win_rate()) - rounded(find.win_rate);
        format!(
            "<br><span class=\"found\">{}</span> <span class=\"move\">{}</span> <span class=\"move\">{}</span>",
            self.language.found(self.analysis.people.as_ref().map_or(0, |people| people.rating)),
            self.language.mv(self.walkers[find.place].position(), find.mv),
            self.language.find(find.share, lost.max(0))
        )
    }

    fn turning(&self) -> String {
        let [head, none] = self.words.turning;
        let mut cards = String::new();
        for &place in &self.points {
            let verdict = &self.verdicts[place];
            let best = self.judgement(place).and_then(|judgement| judgement.best.first()).copied();
            let played = self.analysis.game.moves[place].mv;
            let find = self.analysis.people.as_ref().and_then(|people| people.at(place));
            let own_find = find.map(|find| find.mv).filter(|&mv| mv != played && Some(mv) != best);
            let arrows = [Some(played), best, own_find];
            let turn = self.walkers[place].turn();
            let own =
                |rate: Option<f64>| rate.map_or_else(String::new, |rate| percent(for_black(rate, turn)));
            let _ = write!(
                cards,
                "<article><h3 data-place=\"{}\">{} {}</h3><svg class=\"board\" viewBox=\"{}\">{}</svg>\
                 <p class=\"change\">{} {} → {} <b>−{}</b></p>\
                 <p><span class=\"played\">{}</span> {}<br><span class=\"best\">{}</span> {}{}</p><p class=\"small\">{}: {}</p></article>",
                place + 1,
                self.language.number(place + 1),
                self.written(place),
                board::VIEW,
                self.board(place, arrows),
                self.language.win_rate_of(self.sides[turn.to_index()]),
                own(self.rate(place)),
                own(self.rate(place + 1)),
                self.loss(place, verdict),
                self.words.played[0],
                self.written(place),
                self.words.played[1],
                self.best_line(place),
                find.map_or_else(String::new, |find| self.find(find)),
                self.words.playouts,
                self.playouts(place),
            );
        }
        if cards.is_empty() {
            cards = format!("<p>{none}</p>");
        }
        format!("<section id=\"turning\"><h2>{head}</h2><div class=\"cards\">{cards}</div></section>\n")
    }

    fn mates(&self) -> String {
        let [head, none] = self.words.mates;
        let mut items = String::new();
        for (place, verdict) in self.verdicts.iter().enumerate() {
            if let Some(plies) = verdict.missed_mate {
                let _ = write!(
                    items,
                    "<li data-place=\"{place}\">{} {}: {} — <span class=\"best\">{}</span> {}</li>",
                    self.language.number(place + 1),
                    self.written(place),
                    self.language.missed(plies),
                    self.words.played[1],
                    self.best_line(place)
                );
            }
        }
        let list = if items.is_empty() { format!("<p>{none}</p>") } else { format!("<ul>{items}</ul>") };
        format!("<section id=\"mates\"><h2>{head}</h2>{list}</section>\n")
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// Text that means itself in HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
