import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Complaint, Judge } from './judges.js';

/** File with a line for each kind of difference that has a reason. */
export const DIFFERENCES = fileURLToPath(new URL('../../../evidence/yang/differences.tsv', import.meta.url));

/** Different verdicts of our compiler and a judge on one module. */
export interface Difference {
  readonly judge: Judge;
  readonly file: string;
  readonly ours: Complaint;
  readonly theirs: Complaint;
}

/** Line of the file of explanations: which differences it explains, and why. */
export interface Explanation {
  readonly judge: string;
  /** Compiler that refuses the module: `gatehouse`, or the judge. */
  readonly refusedBy: string;
  /** Matches what that compiler says. */
  readonly complaint: RegExp;
  /** Matches the name of the file. */
  readonly file: RegExp;
  readonly reason: string;
}

/**
 * Reads the file of explanations. Each line has five columns, separated by tabs: judge, who refuses the module, a regular
 * expression for the complaint, one for the name of the file, and the reason. A line that begins with `#` is a comment.
 */
export function readExplanations(path: string): readonly Explanation[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [judge = '', refusedBy = '', complaint = '', file = '', reason = ''] = line.split('\t');
      if (reason === '') throw new Error(`${path}: this line has fewer than five columns: ${line}`);
      return { judge, refusedBy, complaint: new RegExp(complaint), file: new RegExp(file), reason };
    });
}

/** Returns the reason for a difference; undefined if no line explains it. */
export function reasonFor(
  { judge, file, ours, theirs }: Difference,
  explanations: readonly Explanation[],
): string | undefined {
  const refusedBy = ours === undefined ? judge : 'gatehouse';
  return explanations.find(
    (line) =>
      line.judge === judge &&
      line.refusedBy === refusedBy &&
      line.complaint.test(ours ?? theirs ?? '') &&
      line.file.test(basename(file)),
  )?.reason;
}

/** Returns the table of differences, with tabs between its columns. An empty reason is no explanation. */
export function tableOf(differences: readonly Difference[], explanations: readonly Explanation[]): string {
  const rows = differences.map((one) => [
    one.judge,
    one.ours === undefined ? one.judge : 'gatehouse',
    basename(one.file),
    (one.ours ?? one.theirs ?? '').replaceAll(/\s+/g, ' '),
    reasonFor(one, explanations) ?? '',
  ]);
  return [['judge', 'refused by', 'file', 'complaint', 'reason'], ...rows]
    .map((row) => `${row.join('\t')}\n`)
    .join('');
}
