// The game's colour, light and dark theme: artichoke green; and its place in lists of games. By itself: lists come before its pages.
export default { light: '#3f6b2b', dark: '#9fce80', place: 3 };
