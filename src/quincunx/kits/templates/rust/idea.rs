//! {{title}}

// {{help}}

use crate::view::{random, View};

pub fn choose(view: &View) -> String {
    eprintln!("{}", view.legal.len()); // {{example}}
    view.legal[random(view.legal.len())].clone()
}
