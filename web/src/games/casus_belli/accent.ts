// The game's colour, light and dark theme: parchment. By itself, because lists of games are coloured before its pages are loaded.
export default { light: '#6b4e1f', dark: '#d9b777' };
