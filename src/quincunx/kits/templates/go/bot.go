// The bot: one JSON message a line on stdin and stdout, until stdin ends. What to play is asked in idea.go.
// There is nothing to change here.

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"
)

var random = rand.New(rand.NewSource(time.Now().UnixNano()))

// Message has what the bot reads of a message; all else is ignored.
type Message struct {
	Type     string
	Game     string
	Yours    []int
	Options  Object
	ListsAll *bool `json:"lists_all"`
	Shown    Object
	Legal    []string
	Story    []Object
	ToAct    []int `json:"to_act"`
	Clocks   []*float64
	Outcome  any
	ID       string
	Words    Object
}

type Bot struct {
	out   *json.Encoder
	view  View
	plays int
	tried []string // since the last update
}

func (bot *Bot) hear(message *Message) {
	view := &bot.view
	switch message.Type {
	case "welcome": // a match begins
		listsAll := message.ListsAll == nil || *message.ListsAll
		*view = View{game: message.Game, options: message.Options, listsAll: listsAll, seat: message.Yours[0], first: true}
	case "update":
		view.shown, view.legal, view.story, view.clock = message.Shown, message.Legal, message.Story, nil
		if view.seat < len(message.Clocks) {
			view.clock = message.Clocks[view.seat]
		}
		bot.tried = nil
		if contains(message.ToAct, view.seat) && message.Outcome == nil {
			bot.play(choose(view))
			view.first = false
		}
	case "refused":
		if message.ID == strconv.Itoa(bot.plays) && bot.tried != nil {
			fmt.Fprintln(os.Stderr, "refused:", bot.tried[len(bot.tried)-1], message.Words.text("en"))
			bot.play(bot.another())
		}
	}
}

func (bot *Bot) play(action string) {
	bot.plays++
	bot.tried = append(bot.tried, action)
	said := map[string]any{"type": "play", "id": strconv.Itoa(bot.plays), "seat": bot.view.seat, "action": action}
	if bot.out.Encode(said) != nil {
		os.Exit(1)
	}
}

// another is a legal action that was not refused.
func (bot *Bot) another() string {
	others := []string{}
	for _, action := range bot.view.legal {
		if !contains(bot.tried, action) {
			others = append(others, action)
		}
	}
	if len(others) == 0 {
		others = bot.view.legal
	}
	return others[random.Intn(len(others))]
}

func contains[T comparable](among []T, wanted T) bool {
	for _, each := range among {
		if each == wanted {
			return true
		}
	}
	return false
}

func main() {
	bot := Bot{out: json.NewEncoder(os.Stdout)}
	os.Stdout = os.Stderr // what an idea prints is not part of the dialogue
	in := bufio.NewReader(os.Stdin)
	for {
		line, ended := in.ReadBytes('\n')
		message := Message{}
		if len(line) > 1 {
			if wrong := json.Unmarshal(line, &message); wrong != nil {
				fmt.Fprintln(os.Stderr, wrong)
			} else {
				bot.hear(&message)
			}
		}
		if ended != nil {
			return
		}
	}
}
