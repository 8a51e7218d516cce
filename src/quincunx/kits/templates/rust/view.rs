//! What the bot knows when it is to act. There is nothing to change here.

use crate::json::Json;

#[allow(dead_code)] // an idea reads what it likes
#[derive(Default)]
pub struct View {
    pub game: String,
    pub options: Json,      // of the match
    pub lists_all: bool, // false: other actions of the notation than the listed ones are legal, too
    pub seat: i64,       // yours, from 0
    pub first: bool,     // the first choice of a match: forget what you remember
    pub shown: Json,     // what you see of the game
    pub legal: Vec<String>, // the actions that you may play now
    pub story: Json,     // what happened since the last view
    pub clock: Json,     // your milliseconds: clock.integer(), unless clock.is_null()
}

impl View {
    pub fn greeted(welcome: &Json) -> View {
        let lists_all = &welcome["lists_all"];
        View {
            game: welcome["game"].text().to_string(),
            options: welcome["options"].clone(),
            lists_all: lists_all.is_null() || lists_all.truth(),
            seat: welcome["yours"].at(0).integer(),
            first: true,
            ..View::default()
        }
    }

    pub fn see(&mut self, update: &Json) {
        self.shown = update["shown"].clone();
        self.legal = update["legal"]
            .items()
            .iter()
            .map(|action| action.text().to_string())
            .collect();
        self.story = update["story"].clone();
        self.clock = update["clocks"].at(self.seat as usize).clone();
    }
}

/// A number from 0 to `below` - 1.
pub fn random(below: usize) -> usize {
    use std::hash::{BuildHasher, Hasher};
    let drawn = std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish();
    (drawn % below as u64) as usize
}
