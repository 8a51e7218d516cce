// The game's colour, light and dark theme: the rack's blue. By itself, because lists of games are coloured before its pages are loaded.
export default { light: '#1f4e9c', dark: '#8fb6f7' };
