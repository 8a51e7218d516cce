// The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in idea.cpp.
// There is nothing to change here.

#include <algorithm>
#include <iostream>
#include <random>

#include "view.hpp"

class Bot {
public:
    explicit Bot(std::ostream& out) : out(out) {}

    void hear(const Json& message) {
        const std::string& type = message["type"].text();
        if (type == "welcome") {
            greet(message);
        } else if (type == "update") {
            see(message);
            if (is_mine(message["to_act"]) && message["outcome"].is_null()) {
                play(choose(view));
                view.first = false;
            }
        } else if (type == "refused" && message["id"].text() == std::to_string(plays) && !tried.empty()) {
            std::cerr << "refused: " << tried.back() << " " << message["words"]["en"].text() << std::endl;
            play(another());
        }
    }

private:
    std::ostream& out;
    std::mt19937 random{std::random_device{}()};
    View view;
    int plays = 0;
    std::vector<std::string> tried;  // since the last update

    void greet(const Json& welcome) {  // a match begins
        view = View{};
        view.game = welcome["game"].text();
        view.options = welcome["options"];
        view.lists_all = welcome["lists_all"].is_null() || welcome["lists_all"].truth();
        view.seat = welcome["yours"][0].integer();
    }

    void see(const Json& update) {
        view.shown = update["shown"];
        view.story = update["story"];
        view.clock = update["clocks"][view.seat];
        view.legal.clear();
        for (const Json& action : update["legal"].items()) view.legal.push_back(action.text());
        tried.clear();
    }

    bool is_mine(const Json& seats) const {
        const auto& all = seats.items();
        return std::any_of(all.begin(), all.end(), [&](const Json& seat) { return seat.integer() == view.seat; });
    }

    std::string another() {  // a legal action that was not refused
        std::vector<std::string> others;
        for (const std::string& action : view.legal) {
            if (std::find(tried.begin(), tried.end(), action) == tried.end()) others.push_back(action);
        }
        if (others.empty()) others = view.legal;
        return others[random() % others.size()];
    }

    void play(const std::string& action) {
        plays += 1;
        tried.push_back(action);
        out << "{\"type\":\"play\",\"id\":\"" << plays << "\",\"seat\":" << view.seat
            << ",\"action\":" << Json::quoted(action) << "}" << std::endl;
    }
};

int main() {
    std::ostream out(std::cout.rdbuf());
    std::cout.rdbuf(std::cerr.rdbuf());  // what an idea prints is not part of the dialogue
    Bot bot(out);
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) bot.hear(Json::parse(line));
    }
}
