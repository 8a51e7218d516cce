// Colours of seats: two from the theme, the next ones told apart as well as colours can be. Shapes tell them apart too.

export const PALETTE: Record<string, { light: string; dark: string }> = {
  blue: { light: '#2b6cb0', dark: '#6db0f2' },
  orange: { light: '#c2410c', dark: '#ff9a57' },
  green: { light: '#2f7d4f', dark: '#6fce93' },
  violet: { light: '#7440a8', dark: '#bd92f2' },
  rose: { light: '#b3246b', dark: '#f57fb4' },
  teal: { light: '#0f766e', dark: '#4fd1c5' },
  gold: { light: '#946200', dark: '#edc04a' },
  slate: { light: '#4a5568', dark: '#b6c2d4' },
};

/** The CSS colours of so many seats: those of the drawings (`own`), or those `chosen` by name from the palette. */
export function seatColours(
  seats: number,
  chosen: readonly string[],
  dark: boolean,
  own?: { light: string; dark: string }[],
): string[] {
  if (own && own.length >= seats) return own.slice(0, seats).map((colour) => colour[dark ? 'dark' : 'light']);
  const names = [...new Set([...chosen.filter((name) => name in PALETTE), ...Object.keys(PALETTE)])];
  return Array.from({ length: seats }, (_, seat) => {
    const colour = PALETTE[names[seat] ?? ''];
    return colour ? colour[dark ? 'dark' : 'light'] : `hsl(${Math.round(seat * 137.5) % 360} 60% ${dark ? 68 : 38}%)`;
  });
}
