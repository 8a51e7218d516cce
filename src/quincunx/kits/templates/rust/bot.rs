//! The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in idea.rs.
//! There is nothing to change here. Stdout is for the dialogue: an idea writes its notes with eprintln!.

mod idea;
mod json;
mod view;

use json::Json;
use std::io::{self, BufRead, Write};
use view::{random, View};

#[derive(Default)]
struct Bot {
    view: View,
    plays: u32,
    tried: Vec<String>, // since the last update
}

impl Bot {
    fn hear(&mut self, message: &Json) -> io::Result<()> {
        match message["type"].text() {
            "welcome" => self.view = View::greeted(message), // a match begins
            "update" => {
                self.view.see(message);
                self.tried.clear();
                let mine = message["to_act"]
                    .items()
                    .iter()
                    .any(|seat| seat.integer() == self.view.seat);
                if mine && message["outcome"].is_null() {
                    let action = idea::choose(&self.view);
                    self.play(action)?;
                    self.view.first = false;
                }
            }
            "refused"
                if message["id"].text() == self.plays.to_string() && !self.tried.is_empty() =>
            {
                eprintln!(
                    "refused: {} {}",
                    self.tried[self.tried.len() - 1],
                    message["words"]["en"].text()
                );
                self.play(self.another())?;
            }
            _ => {} // a message that this bot does not need
        }
        Ok(())
    }

    /// A legal action that was not refused.
    fn another(&self) -> String {
        let others: Vec<&String> = self
            .view
            .legal
            .iter()
            .filter(|action| !self.tried.contains(action))
            .collect();
        let among = if others.is_empty() {
            self.view.legal.iter().collect()
        } else {
            others
        };
        among[random(among.len())].clone()
    }

    fn play(&mut self, action: String) -> io::Result<()> {
        self.plays += 1;
        let quoted = json::quoted(&action);
        self.tried.push(action);
        let mut out = io::stdout().lock();
        writeln!(
            out,
            r#"{{"type":"play","id":"{}","seat":{},"action":{}}}"#,
            self.plays, self.view.seat, quoted
        )?;
        out.flush()
    }
}

fn main() -> io::Result<()> {
    let mut bot = Bot::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if !line.trim().is_empty() {
            match Json::parse(&line) {
                Ok(message) => bot.hear(&message)?,
                Err(wrong) => eprintln!("{}", wrong),
            }
        }
    }
    Ok(())
}
