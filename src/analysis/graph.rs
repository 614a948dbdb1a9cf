//! The graph of win rates over the moves, as SVG.

use std::fmt::Write;

/// Width and height, and the frame that values are drawn in: left, right, top, bottom.
const SIZE: (f64, f64) = (920.0, 230.0);
const FRAME: [f64; 4] = [46.0, 908.0, 12.0, 202.0];

/// A graph over so many moves.
pub struct Graph {
    moves: usize,
}

impl Graph {
    /// A graph over so many moves.
    pub fn new(moves: usize) -> Self {
        Self { moves: moves.max(1) }
    }

    /// Where a move stands.
    fn x(&self, place: usize) -> f64 {
        let [left, right, ..] = FRAME;
        left + (right - left) * place as f64 / self.moves as f64
    }

    /// Where a rate stands.
    fn y(rate: f64) -> f64 {
        let [.., top, bottom] = FRAME;
        bottom - (bottom - top) * rate
    }

    /// The graph of Black's win rates from the start on, with points of these places; the title is for those who cannot see it.
    pub fn draw(&self, rates: &[f64], points: &[usize], title: &str) -> String {
        let [left, right, top, bottom] = FRAME;
        let (width, height) = SIZE;
        let mut text = format!(
            "<svg id=\"graph\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" data-left=\"{left}\" \
             data-right=\"{right}\" data-moves=\"{}\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" \
             class=\"frame\"/>",
            self.moves,
            right - left,
            bottom - top
        );
        for percent in [0, 25, 50, 75, 100] {
            let y = Self::y(f64::from(percent) / 100.0);
            let class = if percent == 50 { "half" } else { "grid" };
            let _ = write!(text, "<path d=\"M{left} {y}H{right}\" class=\"{class}\"/>");
            let _ =
                write!(text, "<text x=\"{}\" y=\"{}\" class=\"end\">{percent}%</text>", left - 6.0, y + 4.0);
        }
        let step =
            [1, 2, 5, 10, 20, 50, 100, 500].into_iter().find(|step| self.moves / step <= 12).unwrap_or(1000);
        for place in (0..=self.moves).step_by(step) {
            let x = self.x(place);
            let _ = write!(text, "<path d=\"M{x:.1} {bottom}v5\" class=\"grid\"/>");
            let _ = write!(text, "<text x=\"{x:.1}\" y=\"{}\">{place}</text>", bottom + 19.0);
        }
        let line: Vec<String> = rates
            .iter()
            .enumerate()
            .map(|(place, &rate)| format!("{:.1} {:.1}", self.x(place), Self::y(rate)))
            .collect();
        if let Some(last) = rates.len().checked_sub(1) {
            let (line, half, end) = (line.join("L"), Self::y(0.5), self.x(last));
            let _ = write!(text, "<path d=\"M{left} {half}L{line}L{end:.1} {half}z\" class=\"area\"/>");
            let _ = write!(text, "<path d=\"M{line}\" class=\"rate\"/>");
        }
        for &place in points {
            if let Some(&rate) = rates.get(place) {
                let (x, y) = (self.x(place), Self::y(rate));
                let _ = write!(text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" class=\"point\"/>");
            }
        }
        let _ = write!(
            text,
            "<path id=\"cursor\" d=\"M0 {top}V{bottom}\" transform=\"translate({left} 0)\"/></svg>"
        );
        text
    }
}
