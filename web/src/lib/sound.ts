// The sounds of the table, made here: no file is loaded. A move is wood on wood, one's turn two rising notes, a remark a
// drop of water; the end sounds as it went. A browser plays nothing before somebody has pressed something.

let context: AudioContext | null = null;

function ready(): AudioContext | null {
  if (typeof AudioContext === 'undefined' || navigator.userActivation?.hasBeenActive === false) return null;
  context ??= new AudioContext();
  void context.resume();
  return context;
}

interface Note {
  frequency: number;
  at?: number;
  length?: number;
  type?: OscillatorType;
  volume?: number;
  /** Where the pitch slides to. */
  to?: number;
}

function play(...notes: Note[]): void {
  const on = ready();
  if (!on) return;
  for (const { frequency, at = 0, length = 0.5, type = 'triangle', volume = 0.16, to } of notes) {
    const [tone, gain, begin] = [on.createOscillator(), on.createGain(), on.currentTime + at];
    tone.type = type;
    tone.frequency.setValueAtTime(frequency, begin);
    if (to) tone.frequency.exponentialRampToValueAtTime(to, begin + length);
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(volume, begin + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
    tone.connect(gain).connect(on.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}

const chord = (frequencies: number[], gap: number): void =>
  play(...frequencies.map((frequency, n) => ({ frequency, at: n * gap })));

/** A piece is set down: a knock, and the board under it. */
export const moved = (): void =>
  play(
    { frequency: 820, to: 240, length: 0.06, type: 'square', volume: 0.05 },
    { frequency: 190, to: 110, length: 0.14, type: 'sine', volume: 0.22 },
  );
export const yourTurn = (): void => chord([523.25, 783.99], 0.11);
export const won = (): void => chord([392, 523.25, 659.25, 783.99], 0.12);
export const lost = (): void => chord([392, 349.23, 293.66], 0.18);
export const over = (): void => chord([392, 523.25, 523.25], 0.14);
/** Somebody says something. */
export const word = (): void => play({ frequency: 620, to: 1150, length: 0.12, type: 'sine', volume: 0.12 });
