//! Graphs of win rates over the moves, as SVG.

use std::fmt::Write;

/// Width and height, and the frame that values are drawn in: left, right, top, bottom.
const SIZE: (f64, f64) = (920.0, 230.0);
const FRAME: [f64; 4] = [46.0, 908.0, 12.0, 202.0];

/// A graph over the moves of a game, as far as it is drawn.
pub struct Graph {
    moves: usize,
    text: String,
}

impl Graph {
    /// The empty frame over so many moves; the title is for those who cannot see it.
    pub fn new(id: &str, moves: usize, title: &str) -> Self {
        let moves = moves.max(1);
        let [left, right, top, bottom] = FRAME;
        let (width, height) = SIZE;
        let text = format!(
            "<svg id=\"{id}\" class=\"graph\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             data-left=\"{left}\" data-right=\"{right}\" data-moves=\"{moves}\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" \
             height=\"{}\" class=\"frame\"/>",
            right - left,
            bottom - top
        );
        let mut graph = Self { moves, text };
        graph.axes();
        graph
    }

    fn axes(&mut self) {
        let [left, right, _, bottom] = FRAME;
        for percent in [0, 25, 50, 75, 100] {
            let y = Self::y(f64::from(percent) / 100.0);
            let class = if percent == 50 { "half" } else { "grid" };
            let _ = write!(self.text, "<path d=\"M{left} {y}H{right}\" class=\"{class}\"/>");
            let _ = write!(
                self.text,
                "<text x=\"{}\" y=\"{}\" class=\"end\">{percent}%</text>",
                left - 6.0,
                y + 4.0
            );
        }
        let step =
            [1, 2, 5, 10, 20, 50, 100, 500].into_iter().find(|step| self.moves / step <= 12).unwrap_or(1000);
        for place in (0..=self.moves).step_by(step) {
            let x = self.x(place);
            let _ = write!(self.text, "<path d=\"M{x:.1} {bottom}v5\" class=\"grid\"/>");
            let _ = write!(self.text, "<text x=\"{x:.1}\" y=\"{}\">{place}</text>", bottom + 19.0);
        }
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

    /// The points of rates from the start on.
    fn path(&self, rates: &[f64]) -> String {
        let point = |(place, &rate): (usize, &f64)| format!("{:.1} {:.1}", self.x(place), Self::y(rate));
        rates.iter().enumerate().map(point).collect::<Vec<_>>().join("L")
    }

    /// Fills what lies between rates and a half.
    #[must_use]
    pub fn area(mut self, rates: &[f64]) -> Self {
        if let Some(last) = rates.len().checked_sub(1) {
            let (line, half, end) = (self.path(rates), Self::y(0.5), self.x(last));
            let _ = write!(
                self.text,
                "<path d=\"M{} {half}L{line}L{end:.1} {half}z\" class=\"area\"/>",
                FRAME[0]
            );
        }
        self
    }

    /// A curve of rates from the start on.
    #[must_use]
    pub fn curve(mut self, rates: &[f64], class: &str) -> Self {
        if !rates.is_empty() {
            let line = self.path(rates);
            let _ = write!(self.text, "<path d=\"M{line}\" class=\"{class}\"/>");
        }
        self
    }

    /// Points of these places on a curve.
    #[must_use]
    pub fn points(mut self, rates: &[f64], places: &[usize]) -> Self {
        for &place in places {
            if let Some(&rate) = rates.get(place) {
                let (x, y) = (self.x(place), Self::y(rate));
                let _ = write!(self.text, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" class=\"point\"/>");
            }
        }
        self
    }

    /// All that was drawn, with the line of where one looks.
    pub fn finish(self) -> String {
        let [left, _, top, bottom] = FRAME;
        format!(
            "{}<path class=\"cursor\" d=\"M0 {top}V{bottom}\" transform=\"translate({left} 0)\"/></svg>",
            self.text
        )
    }
}
