// The game's colour, light and dark theme: artichoke green. By itself, because lists of games are coloured before its pages are loaded.
export default { light: '#3f6b2b', dark: '#9fce80' };
