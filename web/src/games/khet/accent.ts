// The game's colour, light and dark theme: sandstone and ruby. By itself, because lists of games are coloured before its pages are loaded.
export default { light: '#9a3324', dark: '#f0937f' };
