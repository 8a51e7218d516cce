// The little of Node that this bot uses, so that types can be checked without a package.
// If you install @types/node, delete this file, and "types" in tsconfig.json.

declare const process: {
  stdin: AsyncIterable<string> & { setEncoding(name: string): void };
  stdout: { write(text: string): boolean };
};
declare const console: Record<"log" | "info" | "debug" | "error", (...what: unknown[]) => void>;
