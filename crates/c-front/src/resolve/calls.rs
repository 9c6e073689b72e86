//! Calls (C11 §6.5.2.2): arguments are converted to the types of the parameters, or promoted where none are declared.
//! Calling what is not declared is an error, except for functions that verifiers know.

use super::convert::Operand;
use super::{Outcome, Resolver};
use crate::hir::{Callee, Expression, ExpressionKind, FunctionId, TypeId, TypeKind};
use crate::syntax::{self, IntegerWord};
use throng_base::Span;

impl Resolver<'_> {
    /// `f(a, b)`
    pub(super) fn call(
        &mut self,
        callee: &syntax::Expression,
        arguments: &[syntax::Expression],
        span: Span,
    ) -> Outcome<Expression> {
        if let syntax::ExpressionKind::Name(name) = &callee.kind {
            if let Some(outcome) = self.builtin_call(name, arguments, span) {
                return outcome;
            }
            if self.scopes.name(name).is_none() && self.implicit_function(name, callee.span).is_none() {
                for argument in arguments {
                    let _ = self.rvalue(argument);
                }
                return Err(self.undeclared_function(name, callee.span));
            }
        }
        let callee = self.operand(callee);
        let values: Vec<Outcome<Expression>> =
            arguments.iter().map(|argument| self.rvalue(argument)).collect();
        let callee = callee.and_then(|callee| self.value(callee))?;
        let values = values.into_iter().collect::<Outcome<Vec<Expression>>>()?;
        self.call_value(callee, values, span)
    }

    /// A call of what a pointer points to.
    fn call_value(
        &mut self,
        callee: Expression,
        arguments: Vec<Expression>,
        span: Span,
    ) -> Outcome<Expression> {
        let function = self.types.pointee(callee.ty).map(|to| self.types.kind(to).clone());
        let Some(TypeKind::Function { result, parameters, is_variadic }) = function else {
            let found = self.describe(callee.ty);
            return Err(self.error("E0651", format!("{found} is not a function"), callee.span));
        };
        let enough = arguments.len() >= parameters.len();
        let too_many = arguments.len() > parameters.len() && !is_variadic;
        if !enough || too_many {
            return Err(self.wrong_count(&callee, parameters.len(), arguments.len(), span));
        }
        let mut converted = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.into_iter().enumerate() {
            if self.types.is_void(argument.ty) {
                return Err(self.error("E0632", "this argument has no value", argument.span));
            }
            converted.push(match parameters.get(index) {
                Some(&ty) if self.takes_member(ty, argument.ty) => {
                    let at = argument.span;
                    Self::unmodelled("E0706", "a transparent union".to_owned(), vec![argument], ty, at)
                }
                Some(&ty) => self.assigned(argument, ty, &format!("parameter {}", index + 1))?,
                None => self.default_promotion(argument),
            });
        }
        if !self.types.is_void(result) && self.size_of(result).is_none() {
            let found = self.describe(result);
            return Err(self.error("E0630", format!("the result is of incomplete type {found}"), span));
        }
        let callee = match callee.kind {
            ExpressionKind::FunctionAddress(function) => Callee::Direct(function),
            _ => Callee::Indirect(Box::new(callee)),
        };
        Ok(Expression { kind: ExpressionKind::Call(callee, converted), ty: result, span })
    }

    /// Whether a parameter is a transparent union and the argument is not one.
    fn takes_member(&self, parameter: TypeId, argument: TypeId) -> bool {
        matches!(*self.types.kind(parameter), TypeKind::Record(id) if self.transparent.contains(&id))
            && self.types.is_scalar(argument)
    }

    fn wrong_count(
        &mut self,
        callee: &Expression,
        wanted: usize,
        given: usize,
        span: Span,
    ) -> super::Reported {
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("{given} given, but there are {wanted} parameter{plural}");
        let mut diagnostic = self.text.error("E0650", message, span);
        if let ExpressionKind::FunctionAddress(function) = callee.kind {
            let function = &self.functions[function.index()];
            let note = format!("`{}` is declared at {}", function.name, self.place_name(function.span));
            diagnostic = diagnostic.note(note);
        }
        self.report(diagnostic)
    }

    fn undeclared_function(&mut self, name: &str, span: Span) -> super::Reported {
        let mut diagnostic = self.text.error("E0604", format!("the function `{name}` is not declared"), span);
        if let Some(header) = super::library::header_of(name) {
            diagnostic = diagnostic.hint(format!("write `#include <{header}>`"));
        } else if let Some(near) = self.scopes.closest(name) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic)
    }

    /// A function that needs no declaration: those of verifiers, and `nondet_…` with a type by its suffix.
    pub(super) fn implicit_function(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        let suffix = name.strip_prefix("__VERIFIER_nondet_").or_else(|| name.strip_prefix("nondet_"));
        let result = match (suffix, name) {
            (Some(suffix), _) => self.suffix_type(suffix),
            (
                None,
                "__VERIFIER_atomic_begin"
                | "__VERIFIER_atomic_end"
                | "__VERIFIER_assume"
                | "__VERIFIER_error"
                | "__VERIFIER_assert"
                | "reach_error"
                | "__CPROVER_assume"
                | "__CPROVER_assert"
                | "__CPROVER_atomic_begin"
                | "__CPROVER_atomic_end"
                | "__CPROVER_predicate"
                | "__CPROVER_parameter_predicates"
                | "__CPROVER_return_predicates",
            ) => self.types.void(),
            (None, _) => return self.implicit_library_function(name, span),
        };
        // Nothing is said about parameters, so a declaration in another unit agrees with it.
        let ty = self.types.function(result, Vec::new(), true);
        self.declare_by_use(name, ty, span)
    }

    /// A function of the library that is well known, and that the program forgot to declare.
    fn implicit_library_function(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        let signature = crate::world::function(name).map(|call| call.signature).filter(|s| !s.is_empty())?;
        // What is said about parameters is not checked: headers differ in it.
        let ty = match self.signature_type(&signature[..1]) {
            ty if signature.len() > 1 || signature.ends_with('.') => {
                let &TypeKind::Function { result, .. } = self.types.kind(ty) else { return None };
                self.types.function(result, Vec::new(), true)
            }
            ty => ty,
        };
        let header = super::library::header_of(name);
        let hint = header.map_or_else(String::new, |header| format!("; write `#include <{header}>`"));
        let message =
            format!("the function `{name}` is not declared, and taken for that of the library{hint}");
        self.warn("W0606", message, span);
        self.declare_by_use(name, ty, span)
    }

    /// The type that `nondet_…` returns; `int` if the suffix is not known.
    fn suffix_type(&mut self, suffix: &str) -> TypeId {
        use IntegerWord as Word;
        let (rank, is_signed) = match suffix {
            "bool" | "_Bool" => return self.types.bool(),
            "pointer" | "ptr" => return self.types.void_pointer(),
            "pchar" => {
                let char = self.types.char();
                return self.types.pointer(char);
            }
            "float" => return self.types.of(TypeKind::Floating { bytes: 4, is_real: true }),
            "double" => return self.types.of(TypeKind::Floating { bytes: 8, is_real: true }),
            "size_t" | "uintptr_t" => return self.types.size_t(),
            "ssize_t" | "ptrdiff_t" | "intptr_t" => return self.types.ptrdiff_t(),
            "char" | "int8" | "int8_t" | "s8" | "schar" => (Word::Char, true),
            "uchar" | "unsigned_char" | "uint8" | "uint8_t" | "u8" => (Word::Char, false),
            "short" | "int16" | "int16_t" | "s16" => (Word::Short, true),
            "ushort" | "unsigned_short" | "uint16" | "uint16_t" | "u16" => (Word::Short, false),
            "uint" | "unsigned" | "unsigned_int" | "uint32" | "uint32_t" | "u32" => (Word::Int, false),
            "long" => (Word::Long, true),
            "ulong" | "unsigned_long" | "sector_t" => (Word::Long, false),
            "longlong" | "long_long" | "int64" | "int64_t" | "s64" | "loff_t" => (Word::LongLong, true),
            "ulonglong" | "unsigned_long_long" | "uint64" | "uint64_t" | "u64" => (Word::LongLong, false),
            "int128" => (Word::Int128, true),
            "uint128" => (Word::Int128, false),
            _ => (Word::Int, true),
        };
        self.types.integer(rank, is_signed)
    }

    /// A call of a function of the library that the compiler knows as `__builtin_…`.
    pub(super) fn library_call(
        &mut self,
        name: &str,
        signature: &str,
        arguments: &[syntax::Expression],
        span: Span,
    ) -> Outcome<Expression> {
        let function = match self.scopes.name(name) {
            Some((super::scope::Meaning::Function(function), _)) => Some(function),
            _ => {
                let ty = self.signature_type(signature);
                self.declare_by_use(name, ty, span)
            }
        };
        let Some(function) = function else {
            return Err(self.error(
                "E0611",
                format!("`{name}` is a function of the library, and another thing here"),
                span,
            ));
        };
        let callee = self.value(Operand::Function(function, span))?;
        let values: Vec<Outcome<Expression>> =
            arguments.iter().map(|argument| self.rvalue(argument)).collect();
        let values = values.into_iter().collect::<Outcome<Vec<Expression>>>()?;
        self.call_value(callee, values, span)
    }

    /// The type that a signature of [`super::library`] stands for.
    fn signature_type(&mut self, signature: &str) -> TypeId {
        let mut is_variadic = false;
        let mut types = Vec::new();
        for letter in signature.chars() {
            let ty = match letter {
                'v' => self.types.void(),
                'p' => self.types.void_pointer(),
                's' => {
                    let char = self.types.char();
                    let is_const = syntax::Qualifiers { is_const: true, ..Default::default() };
                    let char = self.types.qualify(char, is_const);
                    self.types.pointer(char)
                }
                'z' => self.types.size_t(),
                't' => self.types.integer(IntegerWord::Short, false),
                'u' => self.types.integer(IntegerWord::Int, false),
                'U' => self.types.integer(IntegerWord::Long, false),
                'W' => self.types.integer(IntegerWord::LongLong, false),
                'l' => self.types.integer(IntegerWord::Long, true),
                'L' => self.types.integer(IntegerWord::LongLong, true),
                '.' => {
                    is_variadic = true;
                    continue;
                }
                _ => self.types.int(),
            };
            types.push(ty);
        }
        let parameters = types.split_off(1.min(types.len()));
        let result = types.pop().unwrap_or_else(|| self.types.int());
        self.types.function(result, parameters, is_variadic)
    }
}
