// {{title}}

// {{help}}

package main

import (
	"fmt"
	"os"
)

func choose(view *View) string {
	fmt.Fprintln(os.Stderr, len(view.legal)) // {{example}}
	return view.legal[random.Intn(len(view.legal))]
}
