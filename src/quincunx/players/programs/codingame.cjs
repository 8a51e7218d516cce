// What the site gives to programs in JavaScript besides Node: readline(), print() and printErr(). It is loaded before them.
'use strict';

const { readSync } = require('fs');

const clock = new Int32Array(new SharedArrayBuffer(4));
const chunk = Buffer.alloc(1 << 16);
let held = Buffer.alloc(0);

/** Some bytes of the standard input; none at its end. */
function read() {
  for (;;) {
    try {
      return chunk.subarray(0, readSync(0, chunk));
    } catch (error) {
      if (error.code === 'EOF') return chunk.subarray(0, 0);
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(clock, 0, 0, 1); // somebody has made it one that does not wait
    }
  }
}

globalThis.readline = () => {
  let end = held.indexOf(10);
  while (end < 0) {
    const more = read();
    if (!more.length) process.exit(0); // the match is over
    held = Buffer.concat([held, more]);
    end = held.indexOf(10);
  }
  const line = held.toString('utf8', 0, end);
  held = held.subarray(end + 1);
  return line.replace(/\r$/, '');
};
globalThis.print = (...words) => console.log(words.join(' '));
globalThis.printErr = (...words) => console.error(words.join(' '));
