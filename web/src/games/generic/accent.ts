// The colour of a game that has none of its own, light and dark theme.
export default { light: '#7a4b12', dark: '#e0a55a' };
