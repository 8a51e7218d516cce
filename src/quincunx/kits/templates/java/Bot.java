// The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in Idea.java.
// There is nothing to change here.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

final class Bot {
    private final PrintStream out;
    private final Idea idea = new Idea();
    private final Random random = new Random();
    private View view;
    private int plays = 0;
    private final List<String> tried = new ArrayList<>(); // since the last update

    Bot(PrintStream out) {
        this.out = out;
    }

    void hear(Json message) {
        switch (message.get("type").text()) {
            case "welcome":
                view = new View(message); // a match begins
                break;
            case "update":
                view.see(message);
                tried.clear();
                if (isMine(message.get("to_act")) && message.get("outcome").isNull()) {
                    play(idea.choose(view));
                    view.first = false;
                }
                break;
            case "refused":
                if (message.get("id").text().equals(String.valueOf(plays)) && !tried.isEmpty()) {
                    String why = message.get("words").get("en").text();
                    System.err.println("refused: " + tried.get(tried.size() - 1) + " " + why);
                    List<String> others = new ArrayList<>(view.legal);
                    others.removeAll(tried);
                    List<String> among = others.isEmpty() ? view.legal : others;
                    play(among.get(random.nextInt(among.size())));
                }
                break;
            default: // a message that this bot does not need
        }
    }

    private boolean isMine(Json seats) {
        return seats.items().stream().anyMatch(seat -> seat.integer() == view.seat);
    }

    private void play(String action) {
        plays += 1;
        tried.add(action);
        out.print("{\"type\":\"play\",\"id\":\"" + plays + "\",\"seat\":" + view.seat + ",\"action\":"
            + Json.quoted(action) + "}\n");
        out.flush();
    }

    public static void main(String[] arguments) throws IOException {
        Bot bot = new Bot(new PrintStream(System.out, false, StandardCharsets.UTF_8));
        System.setOut(System.err); // what an idea prints is not part of the dialogue
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isBlank()) {
                bot.hear(Json.parse(line));
            }
        }
    }
}
