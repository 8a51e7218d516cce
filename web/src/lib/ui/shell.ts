// Words of a command line.

/** For a shell: as it is if it is one plain word, else in quotes that every shell knows. */
export function quoted(text: string): string {
  return /^[\p{L}\p{N}_.,:@%+=-]+$/u.test(text) ? text : `"${text.replace(/(["\\$`])/g, '\\$1')}"`;
}
