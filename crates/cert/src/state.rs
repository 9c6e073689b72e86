//! States and counts of a document: a name or a pattern, a number or ω.
//!
//! Both are read by hand-written visitors: numbers must be exact (no fractions, no exponents, nothing beyond
//! 64 bits), and a message should say what was expected rather than that no alternative fitted.

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// A state, or a pattern that stands for all states that match it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The state with this name: `"l1"`.
    Name(String),
    /// One of these: `{"any": ["l1", "l2"]}`. Not empty.
    AnyOf(Vec<String>),
    /// Any state: `{"any": true}`.
    Any,
    /// Any state of a program at this location where these variables have these values:
    /// `{"at": "main:12", "where": {"x": true}}`.
    At {
        /// The location.
        location: String,
        /// The partial valuation.
        valuation: BTreeMap<String, bool>,
    },
    /// Any shared state of a program where these variables have these values: `{"where": {"x": true}}`.
    Where {
        /// The partial valuation.
        valuation: BTreeMap<String, bool>,
    },
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = match self {
            State::Name(name) => return serializer.serialize_str(name),
            _ => serializer.serialize_map(None)?,
        };
        match self {
            State::Name(_) => {}
            State::AnyOf(names) => map.serialize_entry("any", names)?,
            State::Any => map.serialize_entry("any", &true)?,
            State::At { location, valuation } => {
                map.serialize_entry("at", location)?;
                map.serialize_entry("where", valuation)?;
            }
            State::Where { valuation } => map.serialize_entry("where", valuation)?,
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StateVisitor)
    }
}

struct StateVisitor;

impl<'de> Visitor<'de> for StateVisitor {
    type Value = State;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a state, or a pattern with `any`, `at` or `where`")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<State, E> {
        Ok(State::Name(name.to_owned()))
    }

    fn visit_string<E: de::Error>(self, name: String) -> Result<State, E> {
        Ok(State::Name(name))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<State, A::Error> {
        let mut any: Option<Any> = None;
        let mut at: Option<String> = None;
        let mut valuation: Option<Valuation> = None;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "any" if any.is_none() => any = Some(map.next_value()?),
                "at" if at.is_none() => at = Some(map.next_value()?),
                "where" if valuation.is_none() => valuation = Some(map.next_value()?),
                "any" | "at" | "where" => {
                    return Err(de::Error::custom(format_args!("duplicate field `{key}`")));
                }
                _ => return Err(de::Error::unknown_field(&key, &["any", "at", "where"])),
            }
        }
        match (any, at, valuation) {
            (Some(Any::All), None, None) => Ok(State::Any),
            (Some(Any::Of(names)), None, None) => Ok(State::AnyOf(names)),
            (None, Some(location), valuation) => {
                Ok(State::At { location, valuation: valuation.unwrap_or_default().0 })
            }
            (None, None, Some(Valuation(valuation))) => Ok(State::Where { valuation }),
            _ => Err(de::Error::custom("a pattern has either `any`, or `at` or `where` or both")),
        }
    }
}

/// The value of `any`.
enum Any {
    All,
    Of(Vec<String>),
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyVisitor)
    }
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`true`, or a list of at least one name")
    }

    fn visit_bool<E: de::Error>(self, all: bool) -> Result<Any, E> {
        if all { Ok(Any::All) } else { Err(E::invalid_value(de::Unexpected::Bool(all), &self)) }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Any, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = sequence.next_element()? {
            names.push(name);
        }
        if names.is_empty() { Err(de::Error::invalid_length(0, &self)) } else { Ok(Any::Of(names)) }
    }
}

/// The value of `where`: like a map, except that no variable may be given twice.
#[derive(Default)]
struct Valuation(BTreeMap<String, bool>);

impl<'de> Deserialize<'de> for Valuation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ValuationVisitor)
    }
}

struct ValuationVisitor;

impl<'de> Visitor<'de> for ValuationVisitor {
    type Value = Valuation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("truth values by variable")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Valuation, A::Error> {
        let mut valuation = BTreeMap::new();
        while let Some((variable, value)) = map.next_entry::<String, bool>()? {
            if valuation.contains_key(&variable) {
                return Err(de::Error::custom(format_args!("variable `{variable}` has two values")));
            }
            valuation.insert(variable, value);
        }
        Ok(Valuation(valuation))
    }
}

/// A number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Count {
    /// So many.
    Finite(u64),
    /// Arbitrarily many: `"omega"`.
    Omega,
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Count::Finite(count) => serializer.serialize_u64(*count),
            Count::Omega => serializer.serialize_str("omega"),
        }
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a non-negative integer below 2^64 or \"omega\"")
    }

    fn visit_u64<E: de::Error>(self, count: u64) -> Result<Count, E> {
        Ok(Count::Finite(count))
    }

    fn visit_str<E: de::Error>(self, word: &str) -> Result<Count, E> {
        if word == "omega" {
            Ok(Count::Omega)
        } else {
            Err(E::invalid_value(de::Unexpected::Str(word), &self))
        }
    }
}
