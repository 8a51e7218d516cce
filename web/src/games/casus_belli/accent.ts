// The game's colour, light and dark theme: parchment; and its place in lists of games. By itself: lists come before its pages.
export default { light: '#6b4e1f', dark: '#d9b777', place: 4 };
