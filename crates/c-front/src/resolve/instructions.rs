//! Instructions of x86-64 in `asm` statements, in the syntax of AT&T: those of which locks and lock-free code are made.
//!
//! Operands in registers become variables of the statement, which are set from inputs before the first instruction and
//! written to outputs after the last one. Operands in memory are the places themselves: `lock` instructions and `xchg` are one atomic
//! step on them, `mov` is one access. Of the flags, there is whether the last result was zero. What is not known makes the whole
//! statement unknown.

use super::Resolver;
use super::convert::Operand;
use crate::hir::{
    Builtin, Expression, ExpressionKind, ObjectId, Place, PlaceKind, Statement, StatementKind, Storage,
    TypeId,
};
use crate::syntax::{self, Asm, BinaryOperator, IntegerWord};
use throng_base::Span;

/// Registers that a constraint names, by its letter.
const FIXED: [(char, &str); 6] =
    [('a', "ax"), ('b', "bx"), ('c', "cx"), ('d', "dx"), ('S', "si"), ('D', "di")];

/// Where an operand is.
#[derive(Clone)]
enum Slot {
    /// In memory.
    Memory(Place),
    /// In a register: a variable of the statement.
    Register(ObjectId),
    /// In the instruction.
    Immediate(i128),
}

/// The state between instructions.
struct Machine {
    span: Span,
    operands: Vec<Slot>,
    /// The names of operands.
    names: Vec<Option<String>>,
    /// Registers that have names.
    fixed: Vec<(&'static str, ObjectId)>,
    /// How many bytes outputs take from registers.
    taken: Vec<(ObjectId, u64)>,
    /// Whether the last result was zero.
    zero: Option<ObjectId>,
    body: Vec<Statement>,
}

/// Something about an instruction is not known.
pub(super) struct Unknown;

type Known<T> = Result<T, Unknown>;

impl Resolver<'_> {
    /// The statements that an `asm` with instructions stands for; `None` if it has one that is not known.
    pub(super) fn instructions(&mut self, asm: &Asm) -> Option<Vec<Statement>> {
        if asm.is_goto || self.function.is_none() {
            return None;
        }
        let errors = self.errors.len();
        let result = self.machine(asm).and_then(|mut machine| {
            for instruction in split(&asm.template) {
                self.instruction(&mut machine, &instruction)?;
            }
            self.write_outputs(&mut machine, asm)?;
            Ok(machine.body)
        });
        if result.is_err() {
            self.errors.truncate(errors);
        }
        result.ok()
    }

    /// Puts operands where instructions find them.
    fn machine(&mut self, asm: &Asm) -> Known<Machine> {
        let all = asm.outputs.iter().chain(&asm.inputs);
        let names = all.map(|operand| operand.name.clone()).collect();
        let mut machine = Machine {
            span: asm.span,
            operands: Vec::new(),
            names,
            fixed: Vec::new(),
            taken: Vec::new(),
            zero: None,
            body: Vec::new(),
        };
        for output in &asm.outputs {
            let slot = self.output_slot(&mut machine, &output.constraint, &output.value)?;
            machine.operands.push(slot);
        }
        for input in &asm.inputs {
            let slot = self.input_slot(&mut machine, &input.constraint, &input.value)?;
            machine.operands.push(slot);
        }
        Ok(machine)
    }

    fn output_slot(
        &mut self,
        machine: &mut Machine,
        constraint: &str,
        value: &syntax::Expression,
    ) -> Known<Slot> {
        let place = self.plain_place(value)?;
        if is_memory(constraint) {
            return Ok(Slot::Memory(place));
        }
        let ty = self.scalar(place.ty)?;
        let register = self.register(machine, constraint, ty)?;
        machine.taken.push((register, self.size_of(ty).unwrap_or(8)));
        if constraint.contains('+') {
            let now = Expression { kind: ExpressionKind::Load(place), ty, span: machine.span };
            self.set(machine, register, now);
        }
        Ok(Slot::Register(register))
    }

    fn input_slot(
        &mut self,
        machine: &mut Machine,
        constraint: &str,
        value: &syntax::Expression,
    ) -> Known<Slot> {
        let plain = constraint.trim_start_matches(['%', '&']);
        if is_memory(plain) {
            return self.plain_place(value).map(Slot::Memory);
        }
        let value = self.rvalue(value).map_err(|_| Unknown)?;
        let ty = self.scalar(value.ty)?;
        if let Ok(number) = plain.parse::<usize>() {
            let slot = machine.operands.get(number).cloned().ok_or(Unknown)?;
            let Slot::Register(register) = slot else { return Err(Unknown) };
            self.set(machine, register, value);
            return Ok(slot);
        }
        let register = self.register(machine, plain, ty)?;
        self.set(machine, register, value);
        Ok(Slot::Register(register))
    }

    /// The variable of a register for values of a type.
    fn register(&mut self, machine: &mut Machine, constraint: &str, ty: TypeId) -> Known<ObjectId> {
        let letters: Vec<char> = constraint.chars().filter(char::is_ascii_alphabetic).collect();
        let fixed = match letters[..] {
            [letter] => FIXED.iter().find(|(known, _)| *known == letter).map(|(_, name)| *name),
            _ => None,
        };
        if letters.is_empty() || letters.contains(&'x') || letters.contains(&'A') {
            return Err(Unknown);
        }
        if let Some(name) = fixed {
            if let Some(&(_, known)) = machine.fixed.iter().find(|(other, _)| *other == name) {
                return Ok(known);
            }
            // Others may use the same register in another width.
            let word = self.types.integer(IntegerWord::LongLong, false);
            let ty = if self.size_of(ty) == Some(8) { ty } else { word };
            let register = self.variable(machine, ty);
            machine.fixed.push((name, register));
            return Ok(register);
        }
        Ok(self.variable(machine, ty))
    }

    /// A new variable of the statement.
    fn variable(&mut self, machine: &mut Machine, ty: TypeId) -> ObjectId {
        let storage = self.function.as_ref().map_or(Storage::Static, |it| Storage::Automatic(it.id));
        let object = self.new_object("register".to_owned(), ty, storage, machine.span);
        machine.body.push(Statement { kind: StatementKind::Declare(object, None), span: machine.span });
        object
    }

    /// A place whose evaluation does nothing.
    fn plain_place(&mut self, e: &syntax::Expression) -> Known<Place> {
        match self.operand(e) {
            Ok(Operand::Place(place)) if is_plain(&place) => Ok(place),
            _ => Err(Unknown),
        }
    }

    /// A type that a register can hold.
    fn scalar(&mut self, ty: TypeId) -> Known<TypeId> {
        let ty = self.types.unqualified(ty);
        let is_word = self.types.is_integer(ty) || self.types.pointee(ty).is_some();
        let fits = self.size_of(ty).is_some_and(|size| size <= 8);
        if is_word && fits { Ok(ty) } else { Err(Unknown) }
    }

    /// `register = value`; a narrow value of an unsigned kind leaves zeros above.
    fn set(&mut self, machine: &mut Machine, register: ObjectId, value: Expression) {
        let (ty, span) = (self.objects[register.index()].ty, machine.span);
        let value = self.widened(value, ty);
        let place = Place { kind: PlaceKind::Object(register), ty, span };
        let kind = ExpressionKind::Assign(place, Box::new(value));
        let assign = Expression { kind, ty, span };
        machine.body.push(Statement { kind: StatementKind::Expression(assign), span });
    }

    /// A value in a type that is not smaller: without copies of its sign.
    fn widened(&mut self, value: Expression, ty: TypeId) -> Expression {
        match (self.size_of(value.ty), self.size_of(ty)) {
            (Some(from), Some(to)) if from < to => {
                let unsigned = self.word(from);
                let value = self.convert(value, unsigned);
                self.convert(value, ty)
            }
            _ => self.convert(value, ty),
        }
    }

    /// The unsigned integer of so many bytes.
    fn word(&mut self, bytes: u64) -> TypeId {
        let word = match bytes {
            1 => IntegerWord::Char,
            2 => IntegerWord::Short,
            4 => IntegerWord::Int,
            _ => IntegerWord::LongLong,
        };
        self.types.integer(word, false)
    }

    fn write_outputs(&mut self, machine: &mut Machine, asm: &Asm) -> Known<()> {
        for (number, output) in asm.outputs.iter().enumerate() {
            let Slot::Register(register) = machine.operands[number] else { continue };
            let place = self.plain_place(&output.value)?;
            let (ty, span) = (self.types.unqualified(place.ty), machine.span);
            let value = self.held(register, span);
            let value = self.convert(value, ty);
            let assign = Expression { kind: ExpressionKind::Assign(place, Box::new(value)), ty, span };
            machine.body.push(Statement { kind: StatementKind::Expression(assign), span });
        }
        Ok(())
    }

    /// What a register holds.
    fn held(&mut self, register: ObjectId, span: Span) -> Expression {
        let ty = self.objects[register.index()].ty;
        let place = Place { kind: PlaceKind::Object(register), ty, span };
        Expression { kind: ExpressionKind::Load(place), ty, span }
    }

    fn instruction(&mut self, machine: &mut Machine, text: &Instruction) -> Known<()> {
        let words = text.operands.iter().map(|word| self.slot(machine, word)).collect::<Known<Vec<_>>>();
        // Fences, and what touches nothing but the stack below.
        let template = text.template();
        if crate::world::assembly(&template).is_some() || is_fence(text) {
            return Ok(());
        }
        if text.name.starts_with("prefetch") && !text.is_locked {
            return Ok(());
        }
        match text.name.as_str() {
            "syscall" => return self.enter_system(machine),
            "rdtsc" | "rdtscp" | "rdrand" | "cpuid" => return self.arbitrary_registers(machine),
            "hlt" | "ud2" => {
                let void = self.types.void();
                let kind = ExpressionKind::Builtin(Builtin::Trap, Vec::new());
                let trap = Expression { kind, ty: void, span: machine.span };
                machine.body.push(Statement { kind: StatementKind::Expression(trap), span: machine.span });
                return Ok(());
            }
            _ => {}
        }
        let slots = words?;
        let (name, width) = self.mnemonic(text, &slots)?;
        match (name, &slots[..], text.is_locked) {
            ("mov", [from, to], false) => {
                let value = self.read(machine, from, width)?;
                self.write(machine, to, value, width)
            }
            ("xchg", [a, b], _) => match (a, b) {
                (Slot::Register(register), Slot::Memory(place))
                | (Slot::Memory(place), Slot::Register(register)) => {
                    let value = self.held(*register, machine.span);
                    let old =
                        self.atomic_step(machine, Builtin::AtomicExchange, place, vec![value], width)?;
                    self.write(machine, &Slot::Register(*register), old, width)
                }
                _ => Err(Unknown),
            },
            ("xadd", [from @ Slot::Register(_), Slot::Memory(place)], true) => {
                let value = self.read(machine, from, width)?;
                let add = update(BinaryOperator::Add, false);
                let old = self.atomic_step(machine, add, place, vec![value], width)?;
                self.write(machine, from, old, width)
            }
            ("cmpxchg", [from, Slot::Memory(place)], true) => {
                self.compare_exchange(machine, from, place, width)
            }
            ("inc" | "dec" | "not", [Slot::Memory(place)], true) => {
                let ty = self.types.unqualified(place.ty);
                let (operator, value) = match name {
                    "inc" => (BinaryOperator::Add, 1),
                    "dec" => (BinaryOperator::Subtract, 1),
                    _ => (BinaryOperator::BitXor, u128::MAX),
                };
                let value = self.constant(value, ty, machine.span);
                let new = self.atomic_step(machine, update(operator, true), place, vec![value], width)?;
                self.result(machine, new, name != "not")
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, Slot::Memory(place)], true) => {
                let value = self.read(machine, from, width)?;
                let operator = operator_of(name).ok_or(Unknown)?;
                let new = self.atomic_step(machine, update(operator, true), place, vec![value], width)?;
                self.result(machine, new, true)
            }
            ("add" | "sub" | "and" | "or" | "xor", [from, to @ Slot::Register(_)], false) => {
                let ty = self.word(width);
                let (left, right) = (self.read(machine, to, width)?, self.read(machine, from, width)?);
                let (left, right) = (self.convert(left, ty), self.convert(right, ty));
                let operator = operator_of(name).ok_or(Unknown)?;
                let kind = ExpressionKind::Binary(operator, Box::new(left), Box::new(right));
                self.write(machine, to, Expression { kind, ty, span: machine.span }, width)
            }
            ("sete" | "setz" | "setne" | "setnz", [to], false) => {
                let zero = machine.zero.ok_or(Unknown)?;
                let mut value = self.held(zero, machine.span);
                if name.starts_with("setn") {
                    let int = self.types.int();
                    let kind = ExpressionKind::Not(Box::new(value));
                    value = Expression { kind, ty: int, span: machine.span };
                }
                let byte = self.word(1);
                let value = self.convert(value, byte);
                self.write(machine, to, value, 1)
            }
            _ => Err(Unknown),
        }
    }

    /// `syscall`: the function of the C library with the registers of Linux as its arguments.
    fn enter_system(&mut self, machine: &mut Machine) -> Known<()> {
        let long = self.types.integer(IntegerWord::Long, true);
        let fixed = |name: &str| machine.fixed.iter().find(|(known, _)| *known == name).map(|(_, it)| *it);
        let number = fixed("ax").ok_or(Unknown)?;
        let mut given: Vec<ObjectId> = ["di", "si", "dx"].into_iter().map_while(fixed).collect();
        let is_fixed = |object: &ObjectId| machine.fixed.iter().any(|(_, known)| known == object);
        for slot in &machine.operands {
            if let Slot::Register(register) = slot
                && !is_fixed(register)
                && !given.contains(register)
            {
                given.push(*register);
            }
        }
        let ty = self.types.function(long, vec![long], true);
        let function = self.declare_by_use("syscall", ty, machine.span).ok_or(Unknown)?;
        self.used_functions.insert(function);
        let mut values = vec![self.held(number, machine.span)];
        for register in given {
            values.push(self.held(register, machine.span));
        }
        values[0] = self.convert(values[0].clone(), long);
        let kind = ExpressionKind::Call(crate::hir::Callee::Direct(function), values);
        self.set(machine, number, Expression { kind, ty: long, span: machine.span });
        Ok(())
    }

    /// An instruction that sets registers to something: all that have names.
    fn arbitrary_registers(&mut self, machine: &mut Machine) -> Known<()> {
        for (_, register) in machine.fixed.clone() {
            let ty = self.objects[register.index()].ty;
            let value = self.arbitrary(ty, machine.span).map_err(|_| Unknown)?;
            self.set(machine, register, value);
        }
        Ok(())
    }

    /// `lock cmpxchg`: the accumulator is what is expected, and gets what was there.
    fn compare_exchange(
        &mut self,
        machine: &mut Machine,
        from: &Slot,
        place: &Place,
        width: u64,
    ) -> Known<()> {
        let &(_, accumulator) = machine.fixed.iter().find(|(name, _)| *name == "ax").ok_or(Unknown)?;
        let accumulator = Slot::Register(accumulator);
        let ty = self.types.unqualified(place.ty);
        let expected = self.variable(machine, ty);
        let value = self.read(machine, &accumulator, width)?;
        let value = self.convert(value, ty);
        self.set(machine, expected, value);
        let new = self.read(machine, from, width)?;
        let operands = vec![self.held(expected, machine.span), new];
        let old = self.atomic_step(machine, Builtin::CompareAndSwapValue, place, operands, width)?;
        let (left, right) = (old.clone(), self.held(expected, machine.span));
        let int = self.types.int();
        let kind = ExpressionKind::Binary(BinaryOperator::Equal, Box::new(left), Box::new(right));
        self.set_zero(machine, Expression { kind, ty: int, span: machine.span });
        self.write(machine, &accumulator, old, width)
    }

    /// One atomic step on a place: the value is in a variable afterwards.
    fn atomic_step(
        &mut self,
        machine: &mut Machine,
        builtin: Builtin,
        place: &Place,
        values: Vec<Expression>,
        width: u64,
    ) -> Known<Expression> {
        let ty = self.scalar(place.ty)?;
        if self.size_of(ty) != Some(width) {
            return Err(Unknown);
        }
        let span = machine.span;
        let pointer = self.types.pointer(place.ty);
        let mut operands = vec![self.address(place.clone(), pointer, span)];
        operands.extend(values.into_iter().map(|value| self.convert(value, ty)).collect::<Vec<_>>());
        let step = Expression { kind: ExpressionKind::Builtin(builtin, operands), ty, span };
        let result = self.variable(machine, ty);
        self.set(machine, result, step);
        Ok(self.held(result, span))
    }

    /// Notes a result of arithmetic for the flags.
    fn result(&mut self, machine: &mut Machine, value: Expression, sets_flags: bool) -> Known<()> {
        if sets_flags {
            let int = self.types.int();
            let kind = ExpressionKind::Not(Box::new(value));
            self.set_zero(machine, Expression { kind, ty: int, span: machine.span });
        }
        Ok(())
    }

    fn set_zero(&mut self, machine: &mut Machine, value: Expression) {
        let zero = match machine.zero {
            Some(zero) => zero,
            None => {
                let int = self.types.int();
                let zero = self.variable(machine, int);
                machine.zero = Some(zero);
                zero
            }
        };
        self.set(machine, zero, value);
    }

    /// What a slot holds, in so many bytes.
    fn read(&mut self, machine: &mut Machine, slot: &Slot, width: u64) -> Known<Expression> {
        match slot {
            Slot::Immediate(value) => {
                let ty = self.word(width);
                Ok(self.constant(*value as u128, ty, machine.span))
            }
            Slot::Memory(place) => self.atomic_step(machine, Builtin::AtomicLoad, place, Vec::new(), width),
            Slot::Register(register) => {
                let value = self.held(*register, machine.span);
                match self.size_of(value.ty) {
                    Some(size) if size == width => Ok(value),
                    Some(size) if size > width => {
                        let ty = self.word(width);
                        Ok(self.convert(value, ty))
                    }
                    _ => Err(Unknown),
                }
            }
        }
    }

    /// Writes so many bytes to a slot. In registers, four bytes clear those above; fewer keep them, which is not modelled:
    /// no output may take them.
    fn write(&mut self, machine: &mut Machine, slot: &Slot, value: Expression, width: u64) -> Known<()> {
        let span = machine.span;
        match slot {
            Slot::Immediate(_) => Err(Unknown),
            Slot::Register(register) => {
                let size = self.size_of(self.objects[register.index()].ty).ok_or(Unknown)?;
                let is_taken = machine.taken.iter().any(|&(known, size)| known == *register && size > width);
                if size < width || (size > width && width < 4 && is_taken) {
                    return Err(Unknown);
                }
                self.set(machine, *register, value);
                Ok(())
            }
            Slot::Memory(place) => {
                let ty = self.scalar(place.ty)?;
                if self.size_of(ty) != Some(width) {
                    return Err(Unknown);
                }
                let pointer = self.types.pointer(place.ty);
                let address = self.address(place.clone(), pointer, span);
                let (value, void) = (self.convert(value, ty), self.types.void());
                let kind = ExpressionKind::Builtin(Builtin::AtomicStore, vec![address, value]);
                let store = Expression { kind, ty: void, span };
                machine.body.push(Statement { kind: StatementKind::Expression(store), span });
                Ok(())
            }
        }
    }

    /// The operand that a word of an instruction means.
    fn slot(&mut self, machine: &Machine, word: &str) -> Known<Slot> {
        if let Some(number) = word.strip_prefix('$') {
            return parse_number(number).map(Slot::Immediate).ok_or(Unknown);
        }
        if let Some(name) = word.strip_prefix("%%").or_else(|| word.strip_prefix("%r")) {
            let is_known = |(known, _): &&(&'static str, ObjectId)| {
                name == *known || name.strip_prefix(['r', 'e']) == Some(known)
            };
            let found = machine.fixed.iter().find(is_known);
            return found.map(|&(_, register)| Slot::Register(register)).ok_or(Unknown);
        }
        let reference = word.strip_prefix('%').ok_or(Unknown)?;
        let reference = reference.strip_prefix(['b', 'w', 'k', 'q']).unwrap_or(reference);
        let number = match reference.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
            Some(name) => machine.names.iter().position(|known| known.as_deref() == Some(name)),
            None => reference.parse().ok(),
        };
        number.and_then(|number| machine.operands.get(number)).cloned().ok_or(Unknown)
    }

    /// The name of an instruction without the suffix of its width, and the width in bytes.
    fn mnemonic(&mut self, text: &Instruction, slots: &[Slot]) -> Known<(&'static str, u64)> {
        const NAMES: [&str; 15] = [
            "mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "not", "add", "sub", "and", "or", "xor", "sete",
            "setz", "setne",
        ];
        let given = text.name.as_str();
        if let Some(name) = NAMES.into_iter().chain(["setnz"]).find(|name| *name == given) {
            if name.starts_with("set") {
                return Ok((name, 1));
            }
            return self.common_width(slots).map(|width| (name, width));
        }
        let (name, width) = given.split_at_checked(given.len().saturating_sub(1)).ok_or(Unknown)?;
        let width = match width {
            "b" => 1,
            "w" => 2,
            "l" => 4,
            "q" => 8,
            _ => return Err(Unknown),
        };
        let name = NAMES.into_iter().find(|known| *known == name).ok_or(Unknown)?;
        Ok((name, width))
    }

    /// The width that operands agree on.
    fn common_width(&mut self, slots: &[Slot]) -> Known<u64> {
        let types = slots.iter().filter_map(|slot| match slot {
            Slot::Memory(place) => Some(place.ty),
            Slot::Register(register) => Some(self.objects[register.index()].ty),
            Slot::Immediate(_) => None,
        });
        let mut widths: Vec<u64> = types.filter_map(|ty| self.size_of(ty)).collect();
        widths.sort_unstable();
        match widths[..] {
            [first, .., last] if first != last => Err(Unknown),
            [first, ..] => Ok(first),
            [] => Err(Unknown),
        }
    }
}

/// One instruction.
struct Instruction {
    name: String,
    is_locked: bool,
    operands: Vec<String>,
}

impl Instruction {
    /// Its words, as the table of templates has them.
    fn template(&self) -> String {
        let lock = if self.is_locked { "lock " } else { "" };
        let gap = if self.operands.is_empty() { "" } else { " " };
        format!("{lock}{}{gap}{}", self.name, self.operands.join(","))
    }
}

/// The instructions of a template; the prefix `lock` belongs to the next one.
fn split(template: &str) -> Vec<Instruction> {
    let mut out = Vec::new();
    let mut is_locked = false;
    for part in template.split(['\n', ';']) {
        let mut part = part.trim();
        while let Some(rest) =
            part.strip_prefix("lock").filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        {
            is_locked = true;
            part = rest.trim_start();
        }
        if part.is_empty() {
            continue;
        }
        let (name, rest) = part.split_once(char::is_whitespace).unwrap_or((part, ""));
        let words = rest.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty());
        out.push(Instruction { name: name.to_owned(), is_locked, operands: words.collect() });
        is_locked = false;
    }
    out
}

/// Whether an instruction is a fence by way of the stack: `lock orl $0,(%%rsp)`.
fn is_fence(instruction: &Instruction) -> bool {
    let is_update = matches!(instruction.name.as_str(), "addl" | "orl" | "addq" | "orq");
    let [value, place] = &instruction.operands[..] else { return false };
    let is_stack = matches!(
        place.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit()),
        "(%%rsp)" | "(%%esp)" | "(%rsp)" | "(%esp)"
    );
    instruction.is_locked && is_update && matches!(value.as_str(), "$0" | "$0x0") && is_stack
}

fn is_memory(constraint: &str) -> bool {
    let letters: Vec<char> = constraint.chars().filter(char::is_ascii_alphabetic).collect();
    matches!(letters[..], ['m' | 'o' | 'V' | 'Q'])
}

fn parse_number(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn operator_of(name: &str) -> Option<BinaryOperator> {
    Some(match name {
        "add" => BinaryOperator::Add,
        "sub" => BinaryOperator::Subtract,
        "and" => BinaryOperator::BitAnd,
        "or" => BinaryOperator::BitOr,
        "xor" => BinaryOperator::BitXor,
        _ => return None,
    })
}

fn update(operator: BinaryOperator, returns_new: bool) -> Builtin {
    Builtin::AtomicUpdate { operator, is_nand: false, returns_new }
}

/// Whether evaluating a place does nothing: it may be evaluated once or several times.
fn is_plain(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Object(_) => true,
        PlaceKind::Member(inner, _) => is_plain(inner),
        PlaceKind::Element(inner, index) => is_plain(inner) && is_pure(index),
        PlaceKind::Dereference(pointer) => is_pure(pointer),
        PlaceKind::Value(_) => false,
    }
}

fn is_pure(e: &Expression) -> bool {
    match &e.kind {
        ExpressionKind::Constant(_) | ExpressionKind::FunctionAddress(_) => true,
        ExpressionKind::Load(place) | ExpressionKind::AddressOf(place) => is_plain(place),
        ExpressionKind::Convert(a) | ExpressionKind::Negate(a) | ExpressionKind::BitNot(a) => is_pure(a),
        ExpressionKind::Offset { pointer, index, .. } => is_pure(pointer) && is_pure(index),
        ExpressionKind::Binary(_, a, b) => is_pure(a) && is_pure(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_belongs_to_the_next_instruction() {
        let all = split("lock; xaddl %0, %1;\n\tpause ; mov $1,%0");
        let shown: Vec<String> = all.iter().map(Instruction::template).collect();
        assert_eq!(shown, ["lock xaddl %0,%1", "pause", "mov $1,%0"]);
    }

    #[test]
    fn fences_by_way_of_the_stack_are_known() {
        assert!(split("lock; orl $0,(%%rsp)").iter().all(is_fence));
        assert!(!split("lock; orl $1,(%%rsp)").iter().all(is_fence));
    }
}
