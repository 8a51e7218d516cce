// {{title}}

// {{help}}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

const char *choose(const View *view) {
    fprintf(stderr, "%d\n", view->legal_count);  // {{example}}
    return view->legal[rand() % view->legal_count];
}
