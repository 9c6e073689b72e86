//! Two engines against each other, like Figure 4 of Liu and Wahl, "Concolic Unbounded-Thread Reachability via Loop
//! Summaries": on the left the time of each question, one engine on each axis, with a lane for runs that were out of
//! resources (RO); on the right the memory of both, the questions sorted by that of the first.
//!
//! Colours tell engines apart, the shapes of marks tell what the answer is; pointing at a mark names the question.

use super::Scale;
use super::axis::Range;
use super::canvas::{COLOURS, Canvas, INK, LEGEND_LINE, legend_mark, legend_width, stroke};
use super::frame::{BOTTOM, Frame, LEFT};
use super::svg::path;
use super::times::{
    LANE, LANE_GAP, Mark, OUT_OF_RESOURCES, OUT_OF_RESOURCES_IN_WORDS, Point, SIDE, TIME_MARK, TOP, Times,
};
use super::{Join, LEAST_SECONDS};

/// The width of the plot of memory in pixels.
const MEMORY_WIDTH: f64 = 440.0;
/// The distance of the plot of memory from its legend.
const GAP: f64 = 22.0;
/// How far a mark reaches; those of many questions would hide the curves.
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
        let (times, memory) = (self.times(), self.frame_of_memory());
        let square = times.frame();
        let legend_left = memory.right() + GAP;
        let labels = self.engines.iter().map(|label| &**label).chain([OUT_OF_RESOURCES_IN_WORDS]);
        let width = legend_left + legend_width(labels.chain(MARKS.map(|(_, label)| label)));
        let mut canvas = Canvas::new(width, square.bottom() + BOTTOM, &self.title());
        let centre = f64::midpoint(square.left, memory.right());
        canvas.centred(centre, 28.0, "font-size=\"16\"", &self.title());
        times.draw(&mut canvas, &square);
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

    fn times(&self) -> Times {
        let point = |question: &Compared| Point {
            about: question.name.clone(),
            mark: mark(question.answer),
            seconds: question.spent.map(|spent| spent.time()),
        };
        Times {
            title: "CPU seconds for each question",
            labels: self.engines.clone(),
            points: self.questions.iter().map(point).collect(),
            least: LEAST_SECONDS,
        }
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
                mark(question.answer).draw(canvas, point, MEMORY_MARK, COLOURS[index], &about);
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
                mark(answer).draw(canvas, (legend_mark(left), y), TIME_MARK, INK, label);
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

/// Safe is a ring, unsafe a triangle, not decided a cross.
fn mark(answer: Answer) -> Mark {
    match answer {
        Answer::Safe => Mark::Ring,
        Answer::Unsafe => Mark::Triangle,
        Answer::Undecided => Mark::Cross,
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / 1_048_576.0
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
