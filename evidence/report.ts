/** What a group found. */
export interface Findings {
  /** True when everything is as promised. */
  readonly holds: boolean;
  readonly figures: Readonly<Record<string, unknown>>;
}

/** True when the group is to break what it looks at, so that it can be seen to fail. */
export const SABOTAGED = process.env['EVIDENCE_SABOTAGE'] === '1';

/** Prints what a group found as one line of JSON, and sets the exit code: 0 when it holds what it promises. */
export function report(group: string, holds: boolean, figures: Findings['figures']): void {
  process.stdout.write(`${JSON.stringify({ group, holds, ...figures, node: process.version })}\n`);
  if (!holds) process.exitCode = 1;
}
