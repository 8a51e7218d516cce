// The game's colour, light and dark theme: the rack's blue; and its place in lists of games. By itself: lists come before its pages.
export default { light: '#1f4e9c', dark: '#8fb6f7', place: 5 };
