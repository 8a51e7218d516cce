// What the bot knows when it is to act. There is nothing to change here.

#pragma once

#include <string>
#include <vector>

#include "json.hpp"

struct View {
    std::string game;
    Json options;                    // of the match
    bool lists_all = true;           // false: other actions of the notation than the listed ones are legal, too
    int seat = 0;                    // yours, from 0
    bool first = true;               // the first choice of a match: forget what you remember
    Json shown;                      // what you see of the game
    std::vector<std::string> legal;  // the actions that you may play now
    Json story;                      // what happened since the last view
    Json clock;                      // your milliseconds: clock.integer(), unless clock.is_null()
};

std::string choose(const View& view);  // idea.cpp
