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
    draw(path, title, axes, curves)
        .map_err(|error| LearnError::Plot { path: path.to_owned(), error: error.to_string() })
}

fn draw(
    path: &Path,
    title: &str,
    [x_axis, y_axis]: [&str; 2],
    curves: &[Curve],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || curves.iter().flat_map(|curve| curve.points);
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let low = points().map(pick).fold(f64::INFINITY, f64::min);
        let high = points().map(pick).fold(f64::NEG_INFINITY, f64::max);
        if low < high { low..high } else { low - 0.5..low + 0.5 }
    };
    if points().next().is_none() {
        return Ok(());
    }
    let root = SVGBackend::new(path, (800, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(60)
        .build_cartesian_2d(range(|point| point.0), range(|point| point.1))?;
    chart.configure_mesh().x_desc(x_axis).y_desc(y_axis).draw()?;
    for (i, curve) in curves.iter().enumerate() {
        let color = Palette99::pick(i).to_rgba();
        chart
            .draw_series(LineSeries::new(curve.points.iter().copied(), color.stroke_width(2)))?
            .label(curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}
