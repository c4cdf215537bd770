import type { Records } from './records.js';

/** Reads figures of one record by path, as text: `suites.key.bad`. */
interface FigureReader {
  (path: string): string;
  /** False without a record of the group. */
  readonly exists: boolean;
}

/** The figures of a group; a figure that is not there reads `?`. */
export function figure(records: Records, group: string): FigureReader {
  const record: unknown = records[group];
  const read = (path: string): string => {
    let value = record;
    for (const name of path.split('.'))
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[name];
    return textOf(value);
  };
  return Object.assign(read, { exists: record !== undefined });
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 2 });
  if (typeof value === 'object' && value !== null) return String(Object.keys(value).length);
  return typeof value === 'string' ? value : '?';
}
