/** One fault of the configuration: where it stands, what is wrong, and what to do about it. Never holds a value. */
export interface Fault {
  /** Path of the file as the operator gave it. */
  readonly file: string;
  /** 1-based; 0 when the fault concerns the file as a whole. */
  readonly line: number;
  readonly column: number;
  /** RFC 6901 JSON pointer into the file. */
  readonly pointer: string;
  /** Stable word for scripts, for example `schema`, `yaml`, `ENC_REJECTED`. */
  readonly code: string;
  readonly message: string;
  /** What to do next, in one sentence. */
  readonly fix: string;
}

/** A fault whose place in the file is not known yet; its pointer counts from what a room was handed. */
export type LocatedFault = Pick<Fault, 'pointer' | 'code' | 'message' | 'fix'>;

/** A configuration that is refused whole, with every fault that was found. */
export class ConfigError extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(formatFault).join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** `file:line:column pointer: message` with the remedy on a line of its own. */
export function formatFault(fault: Fault): string {
  const place = fault.line > 0 ? `${fault.file}:${fault.line}:${fault.column}` : fault.file;
  const pointer = fault.pointer === '' ? '' : ` ${fault.pointer}`;
  return `${place}${pointer}: ${fault.message} [${fault.code}]\n    ${fault.fix}`;
}

/** A parsed file that can say where a value stands in it. */
export interface SourceDocument {
  readonly file: string;
  /** The written values, after environment variables were filled in. */
  readonly value: unknown;
  /** Place of the value at the pointer; of its nearest parent when it is missing. */
  locate(pointer: string): { readonly line: number; readonly column: number };
}

/** Makes a fault at a pointer of a document. */
export function faultAt(
  document: SourceDocument,
  pointer: string,
  what: Pick<Fault, 'code' | 'message' | 'fix'>,
): Fault {
  return { file: document.file, ...document.locate(pointer), pointer, ...what };
}
