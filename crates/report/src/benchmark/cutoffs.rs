//! Cutoffs of a folder of models: how many models have which, and what it takes to find everything in two ways.

use super::{TableStyle, seconds, styled};
use crate::chart::cutoffs::{Histogram, Timed, TwoWays};
use crate::grid::{Align, Grid};

/// The models of a folder.
#[derive(Clone, Debug, Default)]
pub struct CutoffBenchmark {
    /// The models, in order.
    pub models: Vec<Model>,
}

/// A model with what was found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What it is called in tables.
    pub name: String,
    /// What was found out.
    pub finding: Finding,
}

/// What was found out about a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// The cutoff is known.
    Known(Costs),
    /// It is not, for this reason: `timeout`, `memory`, …
    Unknown(String),
    /// The model was refused: nets have no threads.
    Refused,
    /// There was no result: what happened instead.
    Failed(String),
}

/// The cutoff of a model, and what it takes to find everything.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// How many thread states can be reached.
    pub thread_states: u64,
    /// The reachability cutoff.
    pub reachability: u64,
    /// Seconds of CPU that everything took.
    pub cpu: f64,
    /// The most memory that it took, in bytes.
    pub memory: u64,
    /// What exploring so many threads took; `None` if there are too many configurations.
    pub bounded: Option<Bounded>,
    /// What a Karp–Miller search took; `None` if it did not end.
    pub karp_miller: Option<KarpMiller>,
}

/// What exploring as many threads as the cutoff took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// Configurations.
    pub configurations: u64,
    /// Local states that occur in a configuration, on average.
    pub occupied: f64,
    /// Seconds.
    pub seconds: f64,
}

/// What a Karp–Miller search took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KarpMiller {
    /// Nodes of the tree.
    pub nodes: u64,
    /// Nodes that no other covers.
    pub maximal: u64,
    /// Seconds.
    pub seconds: f64,
}

impl CutoffBenchmark {
    fn known(&self) -> impl Iterator<Item = (&Model, &Costs)> {
        self.models.iter().filter_map(|model| match &model.finding {
            Finding::Known(costs) => Some((model, costs)),
            Finding::Unknown(_) | Finding::Refused | Finding::Failed(_) => None,
        })
    }

    fn count(&self, wanted: fn(&Finding) -> bool) -> usize {
        self.models.iter().filter(|model| wanted(&model.finding)).count()
    }

    /// How many models have which cutoff.
    pub fn histogram(&self) -> Histogram {
        let largest = self.known().map(|(_, costs)| costs.reachability).max().unwrap_or(0);
        let with = |cutoff| self.known().filter(|(_, costs)| costs.reachability == cutoff).count();
        Histogram {
            models: (1..=largest).map(with).collect(),
            n_unknown: self.count(|finding| matches!(finding, Finding::Unknown(_) | Finding::Failed(_))),
        }
    }

    /// The same as a table, with what has no threads.
    pub fn summary(&self, style: TableStyle) -> String {
        let Histogram { models, n_unknown } = self.histogram();
        let mut grid = Grid::aligned(titles(["cutoff", "models"]), vec![Align::Right; 2]);
        let refused = self.count(|finding| *finding == Finding::Refused);
        let known = models.into_iter().enumerate().map(|(i, n)| ((i + 1).to_string(), n));
        let others = [("unknown".to_owned(), n_unknown), ("no threads".to_owned(), refused)];
        for (label, n) in known.chain(others.into_iter().filter(|&(_, n)| n > 0)) {
            grid.push(vec![label, n.to_string()]);
        }
        styled(&grid, style)
    }

    /// Times of both ways against each other.
    pub fn two_ways(&self) -> TwoWays {
        let timed = |(model, costs): (&Model, &Costs)| {
            Some(Timed {
                name: model.name.clone(),
                karp_miller: costs.karp_miller.map(|search| search.seconds),
                bounded: costs.bounded?.seconds,
            })
        };
        TwoWays { models: self.known().filter_map(timed).collect() }
    }

    /// Sums for both ways, by the cutoff: over the models on which both ended.
    pub fn sums(&self, style: TableStyle) -> String {
        let head =
            ["cutoff", "models", "faster", "s", "configurations", "Karp–Miller s", "nodes", "not ended"];
        let mut grid = Grid::aligned(titles(head), vec![Align::Right; head.len()]);
        let all: Vec<&Costs> = self.known().map(|(_, costs)| costs).collect();
        let largest = all.iter().map(|costs| costs.reachability).max().unwrap_or(0);
        for cutoff in 1..=largest {
            let with: Vec<&Costs> =
                all.iter().copied().filter(|costs| costs.reachability == cutoff).collect();
            if !with.is_empty() {
                grid.push(sum(&cutoff.to_string(), &with));
            }
        }
        grid.push(sum("all", &all));
        styled(&grid, style)
    }

    /// One line for each model.
    pub fn details(&self, style: TableStyle) -> String {
        let head = [
            "model",
            "thread states",
            "cutoff",
            "CPU s",
            "MiB",
            "configurations",
            "local states",
            "s",
            "nodes",
            "maximal",
            "Karp–Miller s",
        ];
        let align = [&[Align::Left][..], &[Align::Right; 10]].concat();
        let mut grid = Grid::aligned(titles(head), align);
        for model in &self.models {
            let mut row = vec![model.name.clone()];
            match &model.finding {
                Finding::Known(costs) => row.extend(cells(costs)),
                Finding::Unknown(reason) => row.extend([String::new(), reason.clone()]),
                Finding::Refused => row.extend([String::new(), "no threads".to_owned()]),
                Finding::Failed(_) => row.extend([String::new(), "failed".to_owned()]),
            }
            row.resize(head.len(), String::new());
            grid.push(row);
        }
        styled(&grid, style)
    }

    /// Everything as a CSV file with a header; what is not known is empty.
    pub fn csv(&self) -> String {
        let mut text =
            "model,result,thread_states,cutoff,cpu_s,memory_bytes,configurations,local_states,seconds,nodes,maximal,karp_miller_s\n"
                .to_owned();
        for model in &self.models {
            let name = format!("\"{}\"", model.name.replace('"', "\"\""));
            let (result, costs) = match &model.finding {
                Finding::Known(costs) => ("known", Some(costs)),
                Finding::Unknown(reason) => (&**reason, None),
                Finding::Refused => ("refused", None),
                Finding::Failed(_) => ("failed", None),
            };
            let costs = costs.map_or_else(
                || ",".repeat(9),
                |costs| {
                    let Costs { thread_states, reachability, cpu, memory, bounded, karp_miller } = costs;
                    let bounded = bounded.map_or_else(
                        || ",,".to_owned(),
                        |it| format!("{},{:.3},{:.6}", it.configurations, it.occupied, it.seconds),
                    );
                    let search = karp_miller.map_or_else(
                        || ",,".to_owned(),
                        |search| format!("{},{},{:.6}", search.nodes, search.maximal, search.seconds),
                    );
                    format!("{thread_states},{reachability},{cpu:.3},{memory},{bounded},{search}")
                },
            );
            text.push_str(&format!("{name},{result},{costs}\n"));
        }
        text
    }

    /// Runs without a result, one line each.
    pub fn problems(&self) -> Vec<String> {
        let problem = |model: &Model| match &model.finding {
            Finding::Failed(what) => Some(format!("{}: {what}", model.name)),
            Finding::Known(_) | Finding::Unknown(_) | Finding::Refused => None,
        };
        self.models.iter().filter_map(problem).collect()
    }
}

fn titles<const N: usize>(titles: [&str; N]) -> Vec<String> {
    titles.map(str::to_owned).to_vec()
}

fn cells(costs: &Costs) -> Vec<String> {
    let mut cells = [costs.thread_states, costs.reachability].map(|n| n.to_string()).to_vec();
    cells.extend([seconds(costs.cpu), (costs.memory >> 20).to_string()]);
    match costs.bounded {
        Some(Bounded { configurations, occupied, seconds }) => {
            cells.extend([configurations.to_string(), format!("{occupied:.1}"), precise(seconds)]);
        }
        None => cells.extend([String::new(), String::new(), "too many".to_owned()]),
    }
    match costs.karp_miller {
        Some(search) => {
            cells.extend([search.nodes.to_string(), search.maximal.to_string(), precise(search.seconds)]);
        }
        None => cells.extend([String::new(), String::new(), "not ended".to_owned()]),
    }
    cells
}

/// One line of the sums.
fn sum(label: &str, all: &[&Costs]) -> Vec<String> {
    let both = || all.iter().filter_map(|costs| Some((costs.bounded?, costs.karp_miller?)));
    let (n_all, n_both) = (all.len(), both().count());
    let faster = both().filter(|(bounded, search)| bounded.seconds < search.seconds).count();
    vec![
        label.to_owned(),
        n_both.to_string(),
        faster.to_string(),
        precise(both().map(|(bounded, _)| bounded.seconds).sum()),
        both().map(|(bounded, _)| bounded.configurations).sum::<u64>().to_string(),
        precise(both().map(|(_, search)| search.seconds).sum()),
        both().map(|(_, search)| search.nodes).sum::<u64>().to_string(),
        (n_all - n_both).to_string(),
    ]
}

/// Seconds of a search alone, which can be very few.
fn precise(value: f64) -> String {
    if value < 1.0 { format!("{value:.4}") } else { seconds(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, finding: Finding) -> Model {
        Model { name: name.to_owned(), finding }
    }

    fn known(reachability: u64, seconds: f64, karp_miller: Option<f64>) -> Finding {
        let karp_miller = karp_miller.map(|seconds| KarpMiller { nodes: 70, maximal: 3, seconds });
        let bounded = Some(Bounded { configurations: 40, occupied: 1.5, seconds });
        let (cpu, memory) = (2.0, 3 << 20);
        Finding::Known(Costs { thread_states: 9, reachability, cpu, memory, bounded, karp_miller })
    }

    fn benchmark() -> CutoffBenchmark {
        CutoffBenchmark {
            models: vec![
                model("a", known(3, 0.5, Some(0.25))),
                model("b", known(1, 0.25, Some(1.5))),
                model("c", known(3, 0.125, None)),
                model("d", Finding::Unknown("timeout".to_owned())),
                model("e", Finding::Refused),
                model("f", Finding::Failed("exit code 6".to_owned())),
            ],
        }
    }

    #[test]
    fn models_are_counted_by_cutoff() {
        let benchmark = benchmark();
        assert_eq!(benchmark.histogram(), Histogram { models: vec![1, 0, 2], n_unknown: 2 });
        let lines = [
            "cutoff  models",
            "1       1",
            "2       0",
            "3       2",
            "unknown       2",
            "no threads       1",
        ];
        for line in lines {
            assert!(benchmark.summary(TableStyle::Text).contains(line), "{line}");
        }
        assert_eq!(benchmark.problems(), ["f: exit code 6"]);
    }

    #[test]
    fn sums_are_over_models_on_which_both_ended() {
        let table = benchmark().sums(TableStyle::Markdown);
        assert!(table.contains("| 3 | 1 | 0 | 0.5000 | 40 | 0.2500 | 70 | 1 |"), "{table}");
        assert!(table.contains("| all | 2 | 1 | 0.7500 | 80 | 1.75 | 140 | 1 |"), "{table}");
        let two_ways = benchmark().two_ways();
        let times: Vec<_> = two_ways.models.iter().map(|timed| (timed.karp_miller, timed.bounded)).collect();
        assert_eq!(times, [(Some(0.25), 0.5), (Some(1.5), 0.25), (None, 0.125)]);
    }

    #[test]
    fn lines_of_the_file_have_one_length() {
        let mut benchmark = benchmark();
        benchmark.models[0].name = "a, \"b\"".to_owned();
        let text = benchmark.csv();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "\"a, \"\"b\"\"\",known,9,3,2.000,3145728,40,1.500,0.500000,70,3,0.250000");
        assert!(lines[2..].iter().all(|line| line.matches(',').count() == 11), "{text}");
        assert_eq!(lines[4], format!("\"d\",timeout{}", ",".repeat(10)));
    }

    #[test]
    fn every_model_has_a_line() {
        let table = benchmark().details(TableStyle::Markdown);
        for row in [
            "| a | 9 | 3 | 2.00 | 3 | 40 | 1.5 | 0.5000 | 70 | 3 | 0.2500 |",
            "| d |  | timeout |",
            "| c | 9 | 3 | 2.00 | 3 | 40 | 1.5 | 0.1250 |  |  | not ended |",
        ] {
            assert!(table.contains(row), "{row} in {table}");
        }
    }
}
