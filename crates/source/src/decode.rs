//! Turns documents into wire types.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::{Document, Key, Node, Table, Value};
use super::nearest::quoted;
use super::shape::check_shape;
use super::span::Span;

/// Converts a document that fits its schema to a wire type.
///
/// # Errors
///
/// Everything [`check_shape`] finds; or else the first fault that only the type itself can detect, such as a value its
/// own `Deserialize` refuses, or a number as a key that is out of range.
pub fn read_as<T: DeserializeOwned + JsonSchema>(document: &Document) -> Result<T, Diagnostics> {
    check_shape(document, &schemars::schema_for!(T)).into_result(())?;
    decode(document)
}

/// Converts a document to a wire type without checking it against its schema.
///
/// Whole numbers are accepted as floats; a table may have numbers as its keys.
///
/// # Errors
///
/// The first value that does not fit. Call [`check_shape`] first to get all faults.
pub fn decode<T: DeserializeOwned>(document: &Document) -> Result<T, Diagnostics> {
    T::deserialize(TableDecoder { table: &document.root, span: document.span }).map_err(|error| {
        let span = error.span.unwrap_or(document.span);
        Diagnostic::new(error.message).at(span).into()
    })
}

/// The message of a type's `Deserialize`, and the innermost location that it refers to.
#[derive(Debug)]
struct DecodeError {
    message: String,
    span: Option<Span>,
}

impl DecodeError {
    fn within(mut self, span: Span) -> Self {
        self.span = self.span.or(Some(span));
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

impl serde::de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), span: None }
    }
}

#[derive(Clone, Copy)]
struct NodeDecoder<'d>(&'d Node);

impl<'de> Deserializer<'de> for NodeDecoder<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let span = self.0.span;
        let result = match &self.0.value {
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Int(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_str(text),
            Value::Array(items) => visitor.visit_seq(Items(items.iter())),
            Value::Table(table) => return TableDecoder { table, span }.deserialize_any(visitor),
        };
        result.map_err(|error| error.within(span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self).map_err(|error| error.within(self.0.span))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let span = self.0.span;
        let result = match &self.0.value {
            Value::Text(word) => visitor.visit_enum(word.as_str().into_deserializer()),
            Value::Table(table) => return TableDecoder { table, span }.deserialize_enum(name, variants, visitor),
            other => Err(DecodeError::custom(format_args!("expected a word or a table, found {}", other.kind()))),
        };
        result.map_err(|error| error.within(span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

#[derive(Clone, Copy)]
struct TableDecoder<'d> {
    table: &'d Table,
    span: Span,
}

impl<'de> Deserializer<'de> for TableDecoder<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let mut entries = self.table.iter();
        visitor.visit_map(Entries { entries: &mut entries, value: None }).map_err(|error| error.within(self.span))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let mut entries = self.table.iter();
        match (entries.next(), entries.next()) {
            (Some((key, node)), None) => visitor.visit_enum(Variant { key, node }),
            _ => Err(DecodeError::custom("expected a table with a single key")),
        }
        .map_err(|error| error.within(self.span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

struct Items<'d>(std::slice::Iter<'d, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some(node) = self.0.next() else { return Ok(None) };
        seed.deserialize(NodeDecoder(node)).map(Some).map_err(|error| error.within(node.span))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Entries<'e, 'd> {
    entries: &'e mut dyn Iterator<Item = (&'d Key, &'d Node)>,
    value: Option<&'d Node>,
}

impl<'de> MapAccess<'de> for Entries<'_, '_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some((key, node)) = self.entries.next() else { return Ok(None) };
        self.value = Some(node);
        seed.deserialize(KeyDecoder(key)).map(Some).map_err(|error| error.within(key.span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let node = self.value.take().ok_or_else(|| DecodeError::custom("a value was requested before its key"))?;
        seed.deserialize(NodeDecoder(node)).map_err(|error| error.within(node.span))
    }
}

/// A key: text, or a number where a number is expected.
struct KeyDecoder<'d>(&'d Key);

macro_rules! key_as_number {
    ($($method:ident $visit:ident $number:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            // One spelling for each number, so that no two keys are the same number.
            match self.0.name.parse::<$number>() {
                Ok(number) if number.to_string() == self.0.name => visitor.$visit(number),
                _ => Err(DecodeError::custom(format_args!(
                    "the key {} is not a whole number from {} to {}",
                    quoted(&self.0.name),
                    <$number>::MIN,
                    <$number>::MAX
                ))),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for KeyDecoder<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_str(&self.0.name)
    }

    key_as_number! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        let word: StrDeserializer<'_, DecodeError> = self.0.name.as_str().into_deserializer();
        visitor.visit_enum(word)
    }

    forward_to_deserialize_any! {
        bool i128 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// `{ name = content }` as the variant `name`.
struct Variant<'d> {
    key: &'d Key,
    node: &'d Node,
}

impl<'de, 'd> EnumAccess<'de> for Variant<'d> {
    type Error = DecodeError;
    type Variant = Content<'d>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'d>), DecodeError> {
        let value = seed.deserialize(KeyDecoder(self.key)).map_err(|error| error.within(self.key.span))?;
        Ok((value, Content(self.node)))
    }
}

struct Content<'d>(&'d Node);

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        match &self.0.value {
            Value::Table(table) if table.is_empty() => Ok(()),
            other => Err(DecodeError::custom(format_args!("expected an empty table, found {}", other.kind()))
                .within(self.0.span)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, DecodeError> {
        seed.deserialize(NodeDecoder(self.0))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, DecodeError> {
        NodeDecoder(self.0).deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        NodeDecoder(self.0).deserialize_any(visitor)
    }
}
