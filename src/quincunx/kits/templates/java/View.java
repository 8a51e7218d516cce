// What the bot knows when it is to act. There is nothing to change here.

import java.util.ArrayList;
import java.util.List;

final class View {
    final String game;
    final Json options; // of the match
    final boolean listsAll; // false: other actions of the notation than the listed ones are legal, too
    final int seat; // yours, from 0
    boolean first = true; // the first choice of a match: forget what you remember
    Json shown = Json.NULL; // what you see of the game
    List<String> legal = List.of(); // the actions that you may play now
    List<Json> story = List.of(); // what happened since the last view
    Json clock = Json.NULL; // your milliseconds: clock.integer(), unless clock.isNull()

    View(Json welcome) {
        game = welcome.get("game").text();
        options = welcome.get("options");
        listsAll = welcome.get("lists_all").isNull() || welcome.get("lists_all").truth();
        seat = welcome.get("yours").at(0).integer();
    }

    void see(Json update) {
        shown = update.get("shown");
        legal = new ArrayList<>();
        for (Json action : update.get("legal").items()) {
            legal.add(action.text());
        }
        story = update.get("story").items();
        clock = update.get("clocks").at(seat);
    }
}
