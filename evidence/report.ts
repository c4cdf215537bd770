/** Results of a group. */
export interface Findings {
  /** True when everything is as promised. */
  readonly holds: boolean;
  readonly figures: Readonly<Record<string, unknown>>;
}

/** True if the group must break its subject, so that it can be seen to fail. */
export const SABOTAGED = process.env['EVIDENCE_SABOTAGE'] === '1';

/** Prints the results of a group as one line of JSON, and sets the exit code: 0 if the group succeeded. */
export function report(group: string, holds: boolean, figures: Findings['figures']): void {
  process.stdout.write(`${JSON.stringify({ group, holds, ...figures, node: process.version })}\n`);
  if (!holds) process.exitCode = 1;
}
