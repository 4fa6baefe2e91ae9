#![allow(dead_code)]
//! fn hidden() {}
use crate::{moved, other::Thing};

/// A comment is no part of it.
#[derive(Debug, Clone)]
#[serde(rename = "}")]
pub struct Holder<'a, T: Fn() -> u8>
where
    T: Clone,
{
    pub field: &'a T,
}

struct Unit;
pub(crate) struct Tuple(i32, #[allow(x)] i32);

enum Shape {
    Circle { r: f32 },
    Char(char),
}

impl<'a, T> fmt::Display for Holder<'a, T>
where
    T: Clone,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn nested() -> &'static str {
            r#"fn hidden_raw() { " "#
        }
        let braces = ('}', '\'', b'{', "multi
line }");
        if 1 < 2 && 3 > 2 { match f { _ => {} } }
        enum Local { One }
        Ok(())
    }
}

impl<'a, T> fmt::Debug for Holder<'a, T> {
    fn fmt(&self) {}
}

impl Holder<'_, fn() -> u8> {
    pub const SIZE: [u8; 3] = [1, 2, 3];
    pub const unsafe fn make<const N: usize>() -> [u8; N] {
        [0; N]
    }
}

pub trait Drawn: Clone + for<'a> From<&'a str> {
    type Out;
    fn required(&self);
    fn given(&self) -> u8 { 1 }
}

const TEXT: &str = "fn hidden_text() {";
static mut COUNT: u8 = { 1 };
const _: () = ();

macro_rules! make_it {
    ($name:ident) => {
        fn $name() {}
    };
}

make_it!(generated);

thread_local! {
    static SLOT: u8 = 1;
}

mod tests {
    use super::*;

    #[test]
    fn works() {}
}

extern "C" {
    fn from_c(x: i32);
}

/* /* nested */ fn hidden_comment() {} */
pub extern "C" fn callback() {}
type Table<T> = Vec<T>;
async fn r#match() {}

#[cfg(unix)]
fn platform() {}
#[cfg(windows)]
fn platform() {}
