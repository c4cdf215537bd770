/** Prints what a group found as one line of JSON, and sets the exit code: 0 when it holds what it promises. */
export function report(group: string, holds: boolean, figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ group, holds, ...figures, node: process.version })}\n`);
  if (!holds) process.exitCode = 1;
}
