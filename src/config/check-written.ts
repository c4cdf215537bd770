import { dirname, resolve } from 'node:path';
import { type Fault, faultAt } from '../core/fault.js';
import { valueAt, withValues } from '../core/pointer.js';
import type { Validator, Violation } from '../core/schema.js';
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

/** How references to secrets read, as the room of secrets says. */
export interface ReferenceSyntax {
  /** True for a string that refers to a secret: its form is judged when it has been resolved. */
  readonly isReference: (text: string) => boolean;
  /** True for a string that means just what it says: neither a reference, nor an escaped or a refused one. */
  readonly isPlain: (text: string) => boolean;
}

/** What the check of a part needs besides the part. */
export interface WrittenCheck {
  readonly validate: Validator;
  readonly syntax: ReferenceSyntax;
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
  const textAt = (pointer: string): string => {
    const text = valueAt(place.value, pointer);
    return typeof text === 'string' ? text : '';
  };
  const deferred = (violation: Violation): boolean =>
    judgesValue(violation) && check.syntax.isReference(textAt(violation.pointer));
  const complained = new Set(document.faults.map(({ pointer }) => pointer));
  const faults = violations
    .filter((violation) => !deferred(violation))
    .filter(({ pointer }) => !complained.has(at + pointer))
    .map((violation) => violationFault(document, at, violation));
  const plain = paths.filter((pointer) => check.syntax.isPlain(textAt(pointer)));
  const absolute = absolutePaths(value, plain, document.file);
  return { written: { document, at, value: absolute, secrets }, faults };
}

/** A fault for what a schema has against a part of a document. */
function violationFault(document: WrittenDocument, at: string, violation: Violation): Fault {
  const { keyword, message } = violation;
  const pointer = at + violation.pointer;
  const empty = keyword === 'type' && valueAt(document.value, pointer) === null;
  const fix = empty ? FIX_EMPTY : (FIXES[keyword] ?? FIX);
  const fault = faultAt(document, pointer, { code: 'schema', message, fix });
  return NAME_KEYWORDS.has(keyword) ? { ...fault, ...document.locateKey(pointer) } : fault;
}

/** A secret can only ever be a scalar: where an object or an array is wanted, a reference is wrong as written. */
function judgesValue({ keyword, types }: Violation): boolean {
  const wantsContainer = types?.every((type) => ['object', 'array', 'null'].includes(type)) ?? false;
  return !NAME_KEYWORDS.has(keyword) && !wantsContainer;
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

/** A copy of a value in which the paths at the pointers are absolute: they are relative to the file they stand in. */
export function absolutePaths(value: unknown, pointers: readonly string[], file: string): unknown {
  const changes = new Map<string, unknown>();
  for (const pointer of pointers) {
    const written = valueAt(value, pointer);
    if (typeof written === 'string') changes.set(pointer, absolutePath(written, dirname(file)));
  }
  return withValues(value, changes);
}

const SERVER_URL = /^postgres(?:ql)?:\/\//;

/** A storage URL holds its path behind `sqlite:`; a database in memory or on a server has none. */
function absolutePath(written: string, folder: string): string {
  const [, scheme = '', path = ''] = /^(sqlite:)?(.*)$/s.exec(written) ?? [];
  if (path === '' || (scheme !== '' && path === ':memory:') || SERVER_URL.test(written)) return written;
  return scheme + resolve(folder, path);
}
