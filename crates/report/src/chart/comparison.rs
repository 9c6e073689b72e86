//! Two engines against each other, like Figure 4 of Liu and Wahl, "Concolic Unbounded-Thread Reachability via Loop
//! Summaries": on the left the time of each question, one engine on each axis, with a lane for runs that were out of
//! resources (RO); on the right the memory of both, the questions sorted by that of the first.
//!
//! Colours tell engines apart, the shapes of marks tell what the answer is; pointing at a mark names the question.

use super::Scale;
use super::axis::Range;
use super::canvas::{COLOURS, Canvas, INK, LEGEND_LINE, escaped, legend_mark, legend_width, stroke};
use super::frame::{BOTTOM, Frame, LEFT};
use super::svg::path;
use super::{Join, LEAST_SECONDS};

/// The square of times, and the width of the plot of memory, in pixels.
const SIDE: f64 = 380.0;
const MEMORY_WIDTH: f64 = 440.0;
/// Room above them for the titles.
const TOP: f64 = 76.0;
/// The lane of runs out of resources: its distance from the square, which keeps labels apart, and its width.
const LANE_GAP: f64 = 16.0;
const LANE: f64 = 32.0;
const LANE_COLOUR: &str = "#f0f0f0";
/// The distance of the plot of memory from its legend.
const GAP: f64 = 22.0;
/// How far a mark reaches; those of many questions would hide the curves.
const TIME_MARK: f64 = 4.0;
const MEMORY_MARK: f64 = 3.0;
const MARKED_QUESTIONS: usize = 120;

/// Two engines on some questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The engines: the first is on the horizontal axis, and questions are sorted by its memory.
    pub engines: [String; 2],
    /// The questions that both were asked.
    pub questions: Vec<Compared>,
    /// How many others there are.
    pub n_left_out: usize,
}

/// A question that both engines were asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// What it is called.
    pub name: String,
    /// What the answer is.
    pub answer: Answer,
    /// What the engines needed.
    pub spent: [Spent; 2],
}

/// What is known about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No target is coverable.
    Safe,
    /// A target is coverable.
    Unsafe,
    /// Neither engine decided.
    Undecided,
}

/// What a run needed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// CPU seconds; `None` if it reached a limit before there was an answer.
    pub seconds: Option<f64>,
    /// Resident memory at most.
    pub bytes: u64,
}

impl Spent {
    /// A time that can be drawn.
    fn time(&self) -> Option<f64> {
        self.seconds.filter(|seconds| seconds.is_finite())
    }
}

impl Comparison {
    /// The picture.
    pub fn to_svg(&self) -> String {
        let (times, memory) = (self.frame_of_times(), self.frame_of_memory());
        let legend_left = memory.right() + GAP;
        let labels = self.engines.iter().map(|label| &**label).chain([OUT_OF_RESOURCES_IN_WORDS]);
        let width = legend_left + legend_width(labels.chain(MARKS.map(|(_, label)| label)));
        let mut canvas = Canvas::new(width, times.bottom() + BOTTOM, &self.title());
        let centre = f64::midpoint(times.left, memory.right());
        canvas.centred(centre, 28.0, "font-size=\"16\"", &self.title());
        self.draw_times(&mut canvas, &times);
        self.draw_memory(&mut canvas, &memory);
        self.draw_legend(&mut canvas, legend_left);
        canvas.finish()
    }

    fn title(&self) -> String {
        let left_out = match self.n_left_out {
            0 => String::new(),
            n => format!(", {n} left out that one did not take"),
        };
        format!("{} and {} on {} questions{left_out}", self.engines[0], self.engines[1], self.questions.len())
    }

    fn frame_of_times(&self) -> Frame {
        let spent = self.questions.iter().flat_map(|question| question.spent);
        let seconds = spent.filter_map(|spent| Some(spent.time()?.max(LEAST_SECONDS)));
        let range = Range::of(Scale::Logarithmic, seconds);
        let top = TOP + LANE + LANE_GAP;
        Frame { left: LEFT, top, width: SIDE, height: SIDE, x: range, y: range }
    }

    fn frame_of_memory(&self) -> Frame {
        let spent = self.questions.iter().flat_map(|question| question.spent);
        Frame {
            left: LEFT + SIDE + LANE_GAP + LANE + LEFT + 8.0,
            top: TOP,
            width: MEMORY_WIDTH,
            height: LANE + LANE_GAP + SIDE,
            x: Range::of(Scale::Linear, std::iter::once(self.questions.len() as f64)),
            y: Range::of(Scale::Logarithmic, spent.map(|spent| mebibytes(spent.bytes))),
        }
    }

    fn draw_times(&self, canvas: &mut Canvas, frame: &Frame) {
        let (left, top, bottom) = (frame.left, frame.top, frame.bottom());
        let (lane_left, lane_top) = (frame.right() + LANE_GAP, frame.top - LANE_GAP - LANE);
        let length = SIDE + LANE_GAP + LANE;
        for (x, y, width, height) in [(lane_left, lane_top, LANE, length), (left, lane_top, length, LANE)] {
            canvas.line(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{LANE_COLOUR}\"/>"
            ));
        }
        canvas.centred(left + SIDE / 2.0, TOP - 14.0, "", "CPU seconds for each question");
        canvas.centred(lane_left + LANE / 2.0, bottom + 20.0, "", OUT_OF_RESOURCES);
        canvas.ended(left - 8.0, lane_top + LANE / 2.0 + 4.5, OUT_OF_RESOURCES);
        frame.draw(canvas, &self.engines[0], &self.engines[1]);
        let right = frame.right();
        canvas.line(format_args!(
            "<path d=\"M{left} {bottom}L{right} {top}\" stroke=\"{INK}\" stroke-dasharray=\"4 4\"/>"
        ));
        for question in &self.questions {
            let [first, second] = question.spent.map(|spent| spent.time());
            let x = first.map_or(lane_left + LANE / 2.0, |seconds| frame.column(seconds));
            let y = second.map_or(lane_top + LANE / 2.0, |seconds| frame.row(seconds));
            let about = format!("{}: {} and {}", question.name, time(first), time(second));
            draw_mark(canvas, question.answer, (x, y), TIME_MARK, INK, &about);
        }
    }

    fn draw_memory(&self, canvas: &mut Canvas, frame: &Frame) {
        canvas.centred(frame.left + frame.width / 2.0, TOP - 14.0, "", "Memory in MiB for each question");
        frame.draw(canvas, &format!("questions, by the memory of {}", self.engines[0]), "MiB");
        let mut questions: Vec<&Compared> = self.questions.iter().collect();
        questions.sort_by_key(|question| question.spent[0].bytes);
        for index in [1, 0] {
            let point = |(rank, question): (usize, &&Compared)| {
                let memory = mebibytes(question.spent[index].bytes);
                (frame.column((rank + 1) as f64), frame.row(memory))
            };
            let points: Vec<(f64, f64)> = questions.iter().enumerate().map(point).collect();
            if points.len() > 1 {
                let (path, stroke) = (path(&points, Join::Lines), stroke(index));
                canvas.line(format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke-linejoin=\"round\" {stroke}/>"
                ));
            }
            if points.len() > MARKED_QUESTIONS {
                continue;
            }
            for (point, question) in points.into_iter().zip(&questions) {
                let about = format!("{}: {:.1} MiB", question.name, mebibytes(question.spent[index].bytes));
                draw_mark(canvas, question.answer, point, MEMORY_MARK, COLOURS[index], &about);
            }
        }
    }

    fn draw_legend(&self, canvas: &mut Canvas, left: f64) {
        let mut y = TOP + 12.0;
        for (index, engine) in self.engines.iter().enumerate() {
            canvas.legend_of_curve(left, y, index, engine);
            y += LEGEND_LINE;
        }
        for (answer, label) in MARKS {
            if self.questions.iter().any(|question| question.answer == answer) {
                draw_mark(canvas, answer, (legend_mark(left), y), TIME_MARK, INK, label);
                canvas.legend_label(left, y, label);
                y += LEGEND_LINE;
            }
        }
        canvas.centred(legend_mark(left), y + 4.5, "", OUT_OF_RESOURCES);
        canvas.legend_label(left, y, OUT_OF_RESOURCES_IN_WORDS);
    }
}

/// The marks and what they stand for.
const MARKS: [(Answer, &str); 3] =
    [(Answer::Safe, "safe"), (Answer::Unsafe, "unsafe"), (Answer::Undecided, "not decided")];
const OUT_OF_RESOURCES: &str = "RO";
const OUT_OF_RESOURCES_IN_WORDS: &str = "out of resources";

/// Safe is a ring, unsafe a triangle, not decided a cross.
fn draw_mark(canvas: &mut Canvas, answer: Answer, (x, y): (f64, f64), size: f64, colour: &str, about: &str) {
    let about = escaped(about);
    let path = match answer {
        Answer::Safe => {
            canvas.line(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size}\" fill=\"white\" fill-opacity=\"0.6\" \
                 stroke=\"{colour}\" stroke-width=\"1.4\"><title>{about}</title></circle>"
            ));
            return;
        }
        Answer::Unsafe => {
            let (wide, high) = (size * 2.2, size * 1.9);
            let (left, base) = (x - size * 1.1, y + size * 0.8);
            format!("M{left:.1} {base:.1}h{wide:.1}l{:.1} -{high:.1}z", -wide / 2.0)
        }
        Answer::Undecided => {
            let (left, top, side) = (x - size, y - size, 2.0 * size);
            format!("M{left:.1} {top:.1}l{side} {side}m-{side} 0l{side} -{side}")
        }
    };
    let paint = match answer {
        Answer::Undecided => format!("stroke=\"{colour}\" stroke-width=\"1.6\""),
        Answer::Safe | Answer::Unsafe => format!("fill=\"{colour}\" fill-opacity=\"0.65\""),
    };
    canvas.line(format_args!("<path d=\"{path}\" {paint}><title>{about}</title></path>"));
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
}

fn time(seconds: Option<f64>) -> String {
    seconds.map_or_else(|| OUT_OF_RESOURCES_IN_WORDS.to_owned(), |seconds| format!("{seconds:.3} s"))
}

#[cfg(test)]
mod tests {
    use super::super::canvas::tests::elements;
    use super::*;

    fn compared(
        name: &str,
        answer: Answer,
        first: (Option<f64>, u64),
        second: (Option<f64>, u64),
    ) -> Compared {
        let spent = [first, second].map(|(seconds, mebibytes)| Spent { seconds, bytes: mebibytes << 20 });
        Compared { name: name.to_owned(), answer, spent }
    }

    fn comparison(questions: Vec<Compared>) -> Comparison {
        Comparison { engines: ["concolic", "backward"].map(String::from), questions, n_left_out: 0 }
    }

    /// Where the mark of a question stands, of those that are rings.
    fn rings(svg: &str, about: &str) -> Vec<(f64, f64)> {
        let number = |line: &str, name: &str| {
            let start = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            start.split('"').next().unwrap().parse::<f64>().unwrap()
        };
        let lines = svg.lines().filter(|line| line.starts_with("<circle") && line.contains(about));
        lines.map(|line| (number(line, "cx"), number(line, "cy"))).collect()
    }

    #[test]
    fn equal_times_are_on_the_diagonal_and_what_is_out_of_resources_is_in_its_lane() {
        let svg = comparison(vec![
            compared("same", Answer::Safe, (Some(0.5), 20), (Some(0.5), 20)),
            compared("lost", Answer::Safe, (Some(0.5), 20), (None, 900)),
            compared("both", Answer::Undecided, (None, 20), (None, 900)),
            compared("quick", Answer::Unsafe, (Some(0.0), 20), (Some(50.0), 900)),
        ])
        .to_svg();
        elements(&svg);
        let [(x, y)] = rings(&svg, "same: 0.500 s and 0.500 s")[..] else { unreachable!() };
        let bottom = TOP + LANE + LANE_GAP + SIDE;
        assert!((x - LEFT - (bottom - y)).abs() < 0.2, "{x} {y}");
        let [(lost_x, lost_y)] = rings(&svg, "lost: 0.500 s and out of resources")[..] else {
            unreachable!()
        };
        assert!(lost_x == x && (TOP..TOP + LANE).contains(&lost_y), "{lost_x} {lost_y}");
        assert!(svg.contains("both: out of resources and out of resources"), "{svg}");
    }

    #[test]
    fn memory_is_sorted_by_that_of_the_first_engine() {
        let svg = comparison(vec![
            compared("large", Answer::Safe, (Some(1.0), 800), (Some(1.0), 20)),
            compared("small", Answer::Safe, (Some(1.0), 20), (Some(1.0), 400)),
        ])
        .to_svg();
        let column = |about: &str| rings(&svg, about)[0].0;
        assert!(column("small: 20.0 MiB") < column("large: 800.0 MiB"));
        assert_eq!(column("small: 20.0 MiB"), column("small: 400.0 MiB"));
    }

    #[test]
    fn the_title_says_how_many_questions_are_missing() {
        let comparison = Comparison { n_left_out: 3, ..comparison(Vec::new()) };
        assert_eq!(
            comparison.title(),
            "concolic and backward on 0 questions, 3 left out that one did not take"
        );
        elements(&comparison.to_svg());
    }

    #[test]
    fn names_may_hold_anything() {
        let mut strange =
            comparison(vec![compared("<&>\0", Answer::Unsafe, (Some(1.0), 1), (Some(f64::NAN), 0))]);
        strange.engines[1] = "a<b".to_owned();
        let svg = strange.to_svg();
        elements(&svg);
        assert!(!svg.contains("NaN") && svg.contains("a&lt;b"), "{svg}");
    }
}
