//! Plots of what was learned, as SVG.

use plotters::prelude::*;
use std::path::Path;

use super::LearnError;

/// A named line of points.
pub struct Curve<'a> {
    /// What the legend says.
    pub name: &'a str,
    /// Its points.
    pub points: &'a [(f64, f64)],
}

/// Draws how many numbers have which size.
pub fn histogram(path: &Path, title: &str, axis: &str, numbers: &[f32]) -> Result<(), LearnError> {
    const BINS: usize = 100;
    let largest = numbers.iter().fold(0.01_f32, |most, x| most.max(x.abs()));
    let mut counts = [0.0_f64; BINS];
    for number in numbers {
        let place = f32::midpoint(number / largest, 1.0) * BINS as f32;
        counts[(place as usize).min(BINS - 1)] += 1.0;
    }
    // Steps, on a scale on which single numbers can still be seen beside thousands.
    let edge = |bin: usize| f64::from(largest) * (2.0 * bin as f64 / BINS as f64 - 1.0);
    let points: Vec<(f64, f64)> = counts
        .iter()
        .enumerate()
        .flat_map(|(bin, count)| [edge(bin), edge(bin + 1)].map(|x| (x, (count + 1.0).log10())))
        .collect();
    curves(path, title, [axis, "log10 (1 + how many)"], &[Curve { name: "weights", points: &points }])
}

/// Draws curves over a common axis.
pub fn curves(path: &Path, title: &str, axes: [&str; 2], curves: &[Curve]) -> Result<(), LearnError> {
    let curves = curves.iter().map(|curve| (curve, &[][..])).collect();
    Chart { title, axes, curves, decades: false, from_zero: false }.draw(path)
}

/// How far a figure may be off: where it stands, and the ends of its interval.
pub type Whisker = (f64, f64, f64);

/// Curves over a common axis, and how they are drawn.
pub struct Chart<'a> {
    /// Above it.
    pub title: &'a str,
    /// What is told along the axes, with the unit.
    pub axes: [&'a str; 2],
    /// The curves, with the intervals of their points where these are known.
    pub curves: Vec<(&'a Curve<'a>, &'a [Whisker])>,
    /// Whether the numbers along are logarithms to the base 10, to be written as what they stand for.
    pub decades: bool,
    /// Whether the upright axis begins at 0.
    pub from_zero: bool,
}

/// The size of a drawing, and of the part of it that the names of several curves take, in pixels.
const SIZE: (u32, u32) = (1000, 560);
const LEGEND: u32 = 250;

/// About the width of a letter in it.
const LETTER: u32 = 9;

/// With so few points each is marked.
const MARKED: usize = 24;

const COLOURS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(255, 127, 14),
    RGBColor(148, 103, 189),
    RGBColor(23, 160, 180),
    RGBColor(140, 86, 75),
    RGBColor(90, 90, 90),
];

impl Chart<'_> {
    /// Writes it as SVG; nothing where there are no points.
    pub fn draw(&self, path: &Path) -> Result<(), LearnError> {
        self.draw_on(path)
            .map_err(|error| LearnError::Plot { path: path.to_owned(), error: error.to_string() })
    }

    /// From the lowest to the highest of numbers, with a little room around them.
    fn range(numbers: impl Iterator<Item = f64>, room: f64) -> std::ops::Range<f64> {
        let (low, high) =
            numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let room = if low < high { room * (high - low) } else { 0.5 };
        low - room..high + room
    }

    fn draw_on(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let points = || self.curves.iter().flat_map(|(curve, _)| curve.points);
        if points().next().is_none() {
            return Ok(());
        }
        let ends = self.curves.iter().flat_map(|(_, whiskers)| whiskers.iter().flat_map(|w| [w.1, w.2]));
        let along = Self::range(points().map(|point| point.0), 0.02);
        // Intervals of several curves at one place stand beside each other.
        let beside = (along.end - along.start) * 0.006;
        let mut up = Self::range(points().map(|point| point.1).chain(ends), 0.05);
        if self.from_zero {
            up.start = 0.0;
        }
        let root = SVGBackend::new(path, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let longest = self.curves.iter().map(|(curve, _)| curve.name.chars().count()).max().unwrap_or(0);
        let named = if self.curves.len() > 1 { LEGEND.max(50 + LETTER * longest as u32) } else { 0 };
        let (left, right) = root.split_horizontally(SIZE.0 - named);
        let mut chart = ChartBuilder::on(&left)
            .caption(self.title, ("sans-serif", 22))
            .margin(14)
            .x_label_area_size(52)
            .y_label_area_size(72)
            .build_cartesian_2d(along, up)?;
        let decades = |x: &f64| if self.decades { round_power(*x) } else { plain(*x) };
        chart
            .configure_mesh()
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .axis_desc_style(("sans-serif", 17))
            .label_style(("sans-serif", 15))
            .light_line_style(WHITE)
            .x_label_formatter(&decades)
            .y_label_formatter(&|y| plain(*y))
            .draw()?;
        for (i, (curve, whiskers)) in self.curves.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            chart.draw_series(LineSeries::new(curve.points.iter().copied(), colour.stroke_width(2)))?;
            if curve.points.len() <= MARKED {
                chart
                    .draw_series(curve.points.iter().map(|&point| Circle::new(point, 4, colour.filled())))?;
            }
            chart.draw_series(whiskers.iter().map(|&(x, low, high)| {
                let x = x + beside * (i as f64 - (self.curves.len() - 1) as f64 / 2.0);
                PathElement::new(vec![(x, low), (x, high)], colour.stroke_width(1))
            }))?;
            if named > 0 {
                // Beside the curves, never over them.
                let y = 64 + 26 * i as i32;
                right.draw(&PathElement::new(vec![(0, y), (28, y)], colour.stroke_width(3)))?;
                right.draw(&Text::new(curve.name.to_owned(), (36, y - 8), ("sans-serif", 16)))?;
            }
        }
        root.present()?;
        Ok(())
    }
}

/// Ten to a power, where that is 1, 2 or 5 with zeros; others would only be in the way.
fn round_power(power: f64) -> String {
    let first = 10.0_f64.powf(power - power.floor());
    let near = |digit: f64| (first / digit - 1.0).abs() < 0.02;
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|&digit| near(digit))
        .map_or_else(String::new, |digit| format!("{:.0}", digit * 10.0_f64.powf(power.floor())))
}

/// A number with as many places as it needs, and no more than four.
fn plain(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_name_round_numbers_only() {
        let named = [2.0, 2.1, 2.3, 2.7, 2.9999, 3.5].map(round_power);
        assert_eq!(named, ["100", "", "200", "500", "1000", ""]);
    }
}
