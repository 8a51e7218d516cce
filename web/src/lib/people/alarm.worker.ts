// Rings after as many milliseconds as it is told; a new word takes the place of the one before.

let timer: ReturnType<typeof setTimeout> | undefined;

addEventListener('message', ({ data }: MessageEvent<number>) => {
  clearTimeout(timer);
  timer = setTimeout(() => postMessage(null), data);
});
