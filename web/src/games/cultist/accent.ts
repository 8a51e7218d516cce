// The game's colour, light and dark theme: candle violet; and its place in lists of games. By itself: lists come before its pages.
export default { light: '#5b3a8c', dark: '#b79af0', place: 2 };
