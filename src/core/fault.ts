import { printable } from '../lib/escape-unprintable.js';

/** What is wrong, and how to correct it. */
export interface FaultText {
  readonly message: string;
  /** Next step for the operator, in one sentence. */
  readonly fix: string;
}

/** A fault without a file and a position. Its pointer is relative to the checked value. */
export interface LocatedFault extends FaultText {
  /** RFC 6901 JSON pointer into the file. */
  readonly pointer: string;
  /** Stable identifier for scripts, for example `schema`, `yaml`, `ENC_REJECTED`. */
  readonly code: string;
}

/** A line and a column, each from 1; 0 for a fault of the complete file. */
export interface LineAndColumn {
  readonly line: number;
  readonly column: number;
}

/**
 * One error in the configuration: its location, its cause and its fix. The only value that it may contain is that of
 * an environment variable, or its default, for a number, a boolean or one of several words.
 */
export interface Fault extends LocatedFault, LineAndColumn {
  /** Path of the file as the operator gave it. */
  readonly file: string;
}

/** Error for a rejected configuration, with all faults. */
export class ConfigError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Formats a fault as `file:line:column pointer: message`, with the fix on a separate line. */
export function formatFault(fault: Fault): string {
  const position = fault.line > 0 ? `${fault.file}:${fault.line}:${fault.column}` : fault.file;
  const pointer = fault.pointer === '' ? '' : ` ${fault.pointer}`;
  return `${position}${pointer}: ${printable(fault.message)} [${fault.code}]\n    ${fault.fix}`;
}

/** A parsed file that can locate its values. */
export interface SourceDocument {
  readonly file: string;
  /** Value of the file, with environment variables replaced. */
  readonly value: unknown;
  /** Returns the position of the value at the pointer, or of its nearest parent if the value is missing. */
  locate(pointer: string): LineAndColumn;
}

export function faultAt(
  document: SourceDocument,
  pointer: string,
  details: FaultText & { readonly code: string },
): Fault {
  return { file: document.file, ...document.locate(pointer), pointer, ...details };
}

/** Returns the faults that the previous files did not have. Their lines do not count, because any edit moves them. */
export function addedFaults(faults: readonly Fault[], previous: readonly Fault[]): readonly Fault[] {
  const identityOf = ({ file, pointer, message }: Fault): string => `${file}\n${pointer}\n${message}`;
  const known = new Set(previous.map(identityOf));
  return faults.filter((fault) => !known.has(identityOf(fault)));
}
