// {{title}}

// {{help}}

import java.util.Random;

final class Idea {
    private final Random random = new Random();

    String choose(View view) {
        System.err.println(view.legal.size()); // {{example}}
        return view.legal.get(random.nextInt(view.legal.size()));
    }
}
