// The game's colour, light and dark theme: sky; and its place in lists of games. By itself: lists come before its pages.
export default { light: '#1f6f8b', dark: '#7fcbe6', place: 1 };
