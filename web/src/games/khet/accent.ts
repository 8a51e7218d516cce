// The game's colour, light and dark theme: sandstone and ruby; and its place in lists of games. By itself: lists come before its pages.
export default { light: '#9a3324', dark: '#f0937f', place: 0 };
