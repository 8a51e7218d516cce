// Connect Four on a boardgame.io server as its documentation sets one up: in-memory store, every setting its own.
//
//     node server.js PORT
//
// The board is a list of 42 cells, from the bottom row up; a move is a column; a full column is refused.
const { Server, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const WIDTH = 7;
const HEIGHT = 6;
const DIRECTIONS = [[1, 0], [0, 1], [1, 1], [1, -1]];

function at(cells, x, y) {
  return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT ? cells[y * WIDTH + x] : null;
}

function makesFour(cells, x, y) {
  const player = at(cells, x, y);
  return DIRECTIONS.some(([dx, dy]) => {
    let inLine = 1;
    for (const way of [1, -1])
      for (let k = way; at(cells, x + k * dx, y + k * dy) === player; k += way) inLine++;
    return inLine >= 4;
  });
}

const game = {
  name: "connect_four",
  setup: () => ({ cells: Array(WIDTH * HEIGHT).fill(null), last: null, count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      if (!Number.isInteger(column) || column < 0 || column >= WIDTH) return INVALID_MOVE;
      for (let y = 0; y < HEIGHT; y++)
        if (G.cells[y * WIDTH + column] === null) {
          G.cells[y * WIDTH + column] = playerID;
          G.last = [column, y];
          G.count++;
          return;
        }
      return INVALID_MOVE;
    },
  },
  endIf: ({ G, ctx }) => {
    if (G.last && makesFour(G.cells, ...G.last)) return { winner: ctx.currentPlayer };
    if (G.count === WIDTH * HEIGHT) return { draw: true };
  },
};

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
