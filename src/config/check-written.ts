import { dirname, resolve } from 'node:path';
import { type Fault, faultAt } from '../domain/fault.js';
import { valueAt, withValues } from '../domain/pointer.js';
import type { Validator, Violation } from '../domain/schema.js';
import type { WrittenDocument } from './document.js';

/** A part of a document, ready to be used once the references in it are resolved. */
export interface Written {
  readonly document: WrittenDocument;
  /** Pointer of the part inside the document. */
  readonly at: string;
  /** The part with defaults filled in and paths absolute. */
  readonly value: unknown;
  /** Pointers, relative to `value`, of the strings that the schema marks as secrets. */
  readonly secrets: readonly string[];
}

/** What the check of a part needs besides the part. */
export interface WrittenCheck {
  readonly validate: Validator;
  /** True for a string that refers to a secret: its form is judged when it has been resolved. */
  readonly isReference: (text: string) => boolean;
}

/** A part with everything that its schema has against it. */
export interface CheckedPart {
  readonly written: Written;
  readonly faults: readonly Fault[];
}

/**
 * Checks a value that stands at a pointer of a document, without touching it: gives a copy with the schema's defaults
 * and with absolute paths, and the faults, each at its place. Also right for a plugin's options.
 */
export function checkWritten(place: Omit<Written, 'secrets'>, check: WrittenCheck): CheckedPart {
  const { document, at } = place;
  if (!document.sound) return { written: { ...place, secrets: [] }, faults: [] };
  const value = structuredClone(place.value);
  const { violations, secrets, paths } = check.validate(value);
  const deferred = (pointer: string): boolean => {
    const text = valueAt(place.value, pointer);
    return typeof text === 'string' && check.isReference(text);
  };
  const complained = new Set(document.faults.map(({ pointer }) => pointer));
  const faults = violations
    .filter(({ keyword, pointer }) => NAME_KEYWORDS.has(keyword) || !deferred(pointer))
    .filter(({ pointer }) => !complained.has(at + pointer))
    .map((violation) => violationFault(document, at, violation));
  const absolute = absolutePaths(
    value,
    paths.filter((pointer) => !deferred(pointer)),
    dirname(document.file),
  );
  return { written: { document, at, value: absolute, secrets }, faults };
}

/** A fault for what a schema has against a part of a document. */
export function violationFault(document: WrittenDocument, at: string, violation: Violation): Fault {
  const { keyword, message } = violation;
  const pointer = at + violation.pointer;
  const empty = keyword === 'type' && valueAt(document.value, pointer) === null;
  const fix = empty ? FIX_EMPTY : (FIXES[keyword] ?? FIX);
  const fault = faultAt(document, pointer, { code: 'schema', message, fix });
  return NAME_KEYWORDS.has(keyword) ? { ...fault, ...document.locateKey(pointer) } : fault;
}

/** Keywords that find fault with the name of a member, not with its value. */
const NAME_KEYWORDS = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames']);

const FIX = 'Correct the value.';
const FIX_EMPTY = 'Give it a value, or remove the key.';
const FIXES: Readonly<Record<string, string>> = {
  required: 'Add it.',
  dependentRequired: 'Add it.',
  additionalProperties: 'Correct the name, or remove the member.',
  unevaluatedProperties: 'Correct the name, or remove the member.',
  propertyNames: 'Choose another name.',
  oneOf: 'Keep exactly one.',
  'false schema': 'Remove it.',
};

function absolutePaths(value: unknown, pointers: readonly string[], folder: string): unknown {
  const changes = new Map<string, unknown>();
  for (const pointer of pointers) {
    const written = valueAt(value, pointer);
    if (typeof written === 'string') changes.set(pointer, absolutePath(written, folder));
  }
  return withValues(value, changes);
}

/** A storage URL holds its path behind `sqlite:`; a database in memory has none. */
function absolutePath(written: string, folder: string): string {
  const [, scheme = '', path = ''] = /^(sqlite:)?(.*)$/s.exec(written) ?? [];
  if (path === '' || (scheme !== '' && path === ':memory:')) return written;
  return scheme + resolve(folder, path);
}
