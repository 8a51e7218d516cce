// The game's colour, light and dark theme: candle violet. By itself, because lists of games are coloured before its pages are loaded.
export default { light: '#5b3a8c', dark: '#b79af0' };
