// The little of Node that this bot uses, so that types can be checked without a package.
// If you install @types/node, delete this file, and "types" in tsconfig.json.

declare module "node:readline" {
  export function createInterface(options: { input: unknown }): AsyncIterable<string>;
}
declare const process: { stdin: unknown; stdout: { write(text: string): boolean } };
declare const console: Record<"log" | "info" | "debug" | "error", (...what: unknown[]) => void>;
