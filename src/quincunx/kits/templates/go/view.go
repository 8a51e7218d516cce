// What the bot knows when it is to act. There is nothing to change here.

package main

// View is what an idea is given.
type View struct {
	game     string
	options  Object   // of the match
	listsAll bool     // false: other actions of the notation than the listed ones are legal, too
	seat     int      // yours, from 0
	first    bool     // the first choice of a match: forget what you remember
	shown    Object   // what you see of the game
	legal    []string // the actions that you may play now
	story    []Object // what happened since the last view
	clock    *float64 // your milliseconds, or nil if there is no clock
}

// Object is one of JSON. A field that is missing, or of another kind, reads as the empty value.
type Object map[string]any

func (o Object) text(name string) string {
	found, _ := o[name].(string)
	return found
}

func (o Object) number(name string) float64 {
	found, _ := o[name].(float64)
	return found
}

func (o Object) truth(name string) bool {
	found, _ := o[name].(bool)
	return found
}

func (o Object) object(name string) Object {
	found, _ := o[name].(map[string]any)
	return found
}

// list has the objects of a list; for lists of other things, read o[name].([]any).
func (o Object) list(name string) []Object {
	found, _ := o[name].([]any)
	objects := []Object{}
	for _, each := range found {
		if object, ok := each.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}
