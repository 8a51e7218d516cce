//! A small reader of JSON. What is missing, or of another kind than asked for, reads as the empty value:
//!     Json::parse("{\"a\": [1, 2]}")?["a"].at(1).integer()    is 2
//!     Json::parse("{}")?["a"].at(1).integer()                 is 0

#![allow(dead_code)] // an idea reads what it likes

const DEEPEST: usize = 500;
static NOTHING: Json = Json::Null;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Default for Json {
    fn default() -> Json {
        Json::Null
    }
}

impl std::ops::Index<&str> for Json {
    type Output = Json;

    fn index(&self, name: &str) -> &Json {
        self.fields()
            .iter()
            .find(|(key, _)| key == name)
            .map_or(&NOTHING, |(_, value)| value)
    }
}

impl Json {
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let found = reader.value(0)?;
        reader.blanks();
        if reader.at < text.len() {
            return reader.wrong("the end");
        }
        Ok(found)
    }

    pub fn is_null(&self) -> bool {
        *self == Json::Null
    }

    pub fn at(&self, index: usize) -> &Json {
        self.items().get(index).unwrap_or(&NOTHING)
    }

    pub fn items(&self) -> &[Json] {
        if let Json::List(items) = self {
            items
        } else {
            &[]
        }
    }

    pub fn fields(&self) -> &[(String, Json)] {
        if let Json::Object(fields) = self {
            fields
        } else {
            &[]
        }
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self {
            text
        } else {
            ""
        }
    }

    pub fn number(&self) -> f64 {
        if let Json::Number(number) = self {
            *number
        } else {
            0.0
        }
    }

    pub fn integer(&self) -> i64 {
        self.number() as i64
    }

    pub fn truth(&self) -> bool {
        *self == Json::Bool(true)
    }
}

/// A string as JSON writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", letter as u32)),
            _ => out.push(letter),
        }
    }
    out + "\""
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json, String> {
        self.blanks();
        if depth > DEEPEST {
            return self.wrong("fewer brackets");
        }
        match self.peek() {
            b'{' => self.object(depth),
            b'[' => self.list(depth),
            b'"' => Ok(Json::Text(self.string()?)),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut found = Vec::new();
        self.at += 1;
        self.blanks();
        if self.took(b'}') {
            return Ok(Json::Object(found));
        }
        loop {
            self.blanks();
            let name = self.string()?;
            self.blanks();
            self.take(b':')?;
            found.push((name, self.value(depth + 1)?));
            self.blanks();
            if !self.took(b',') {
                break;
            }
        }
        self.take(b'}')?;
        Ok(Json::Object(found))
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        let mut found = Vec::new();
        self.at += 1;
        self.blanks();
        if self.took(b']') {
            return Ok(Json::List(found));
        }
        loop {
            found.push(self.value(depth + 1)?);
            self.blanks();
            if !self.took(b',') {
                break;
            }
        }
        self.take(b']')?;
        Ok(Json::List(found))
    }

    fn string(&mut self) -> Result<String, String> {
        self.take(b'"')?;
        let mut found = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), b'"' | b'\\' | 0..=31) {
                self.at += 1;
            }
            found.push_str(&self.text[start..self.at]);
            match self.peek() {
                b'"' => break,
                b'\\' => found.push(self.escaped()?),
                _ => return self.wrong("the end of a string"),
            }
        }
        self.at += 1;
        Ok(found)
    }

    /// A backslash, and what it means.
    fn escaped(&mut self) -> Result<char, String> {
        self.at += 1;
        let letter = self.peek();
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => letter as char,
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return self.wrong("an escape"),
        })
    }

    fn unicode(&mut self) -> Result<char, String> {
        let mut code = self.four_digits()?;
        if (0xD800..0xDC00).contains(&code) && self.text[self.at..].starts_with("\\u") {
            let second = self.at; // of a pair
            self.at += 2;
            let low = self.four_digits()?;
            if (0xDC00..0xE000).contains(&low) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                self.at = second;
            }
        }
        Ok(char::from_u32(code).unwrap_or('\u{fffd}')) // half of a pair is no letter
    }

    fn four_digits(&mut self) -> Result<u32, String> {
        let mut code = 0;
        for _ in 0..4 {
            match (self.peek() as char).to_digit(16) {
                Some(digit) => code = code * 16 + digit,
                None => return self.wrong("a hexadecimal digit"),
            }
            self.at += 1;
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        while matches!(self.peek(), b'+' | b'-' | b'.' | b'0'..=b'9' | b'e' | b'E') {
            self.at += 1;
        }
        match self.text[start..self.at].parse() {
            Ok(number) => Ok(Json::Number(number)),
            Err(_) => self.wrong("a value"),
        }
    }

    fn word(&mut self, word: &str, meaning: Json) -> Result<Json, String> {
        if !self.text[self.at..].starts_with(word) {
            return self.wrong(word);
        }
        self.at += word.len();
        Ok(meaning)
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
    }

    /// The next byte, 0 at the end.
    fn peek(&self) -> u8 {
        *self.text.as_bytes().get(self.at).unwrap_or(&0)
    }

    fn took(&mut self, wanted: u8) -> bool {
        if self.peek() != wanted {
            return false;
        }
        self.at += 1; // not `+= usize::from(there)`: rust-lang/rust#158206, wrong code from rustc 1.95
        true
    }

    fn take(&mut self, wanted: u8) -> Result<(), String> {
        if self.took(wanted) {
            Ok(())
        } else {
            self.wrong(&(wanted as char).to_string())
        }
    }

    fn wrong<T>(&self, wanted: &str) -> Result<T, String> {
        Err(format!("JSON needs {} at {}", wanted, self.at))
    }
}
