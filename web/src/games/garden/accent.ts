// The game's colour, light and dark theme: sky. By itself, because lists of games are coloured before its pages are loaded.
export default { light: '#1f6f8b', dark: '#7fcbe6' };
