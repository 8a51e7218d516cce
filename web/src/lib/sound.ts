// Two soft notes, made here: no file is loaded. Only after the player asked for sounds.

let context: AudioContext | null = null;

function note(frequency: number, at: number, length: number): void {
  if (!context) return;
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.type = 'triangle';
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.16, at + 0.02);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

function chord(frequencies: number[], gap: number): void {
  context ??= new AudioContext();
  void context.resume();
  frequencies.forEach((frequency, n) => note(frequency, context!.currentTime + n * gap, 0.5));
}

export const yourTurn = (): void => chord([523.25, 783.99], 0.11);
export const over = (): void => chord([392, 523.25, 659.25], 0.14);
