import { dirname, resolve } from 'node:path';
import { type Fault, faultAt } from '../core/fault.js';
import type { Validator, Violation } from '../core/schema.js';
import { valueAt, withValues } from '../json/pointer.js';
import { sharedIfEmpty } from '../lib/shared-if-empty.js';
import type { WrittenDocument } from './document.js';
import { type Insertions, validateConverted, variableFault } from './variables.js';

/** A part of a file as written. */
export interface WrittenPart {
  /** The adapterId: the name of the file, or the key in `adapters`; empty for the main file. */
  readonly id: string;
  readonly document: WrittenDocument;
  /** Pointer of the part inside the document. */
  readonly at: string;
  /** The part with defaults filled in and with absolute paths. */
  readonly value: unknown;
  /**
   * Pointers, relative to `value`, of the strings that the schema marks as paths. Absent if the value is not known to be
   * valid as written.
   */
  readonly paths?: readonly string[] | undefined;
  /** The numbers, booleans and nulls that environment variables became, by pointer relative to `value`. */
  readonly converted?: ReadonlyMap<string, unknown>;
}

/** Part of a document, ready for use after its references are resolved. */
export interface Written extends WrittenPart {
  /** Pointers, relative to `value`, of the strings that the schema marks as secrets. */
  readonly secrets: readonly string[];
}

/** Syntax of references to secrets, as the vault module defines it. */
export interface ReferenceSyntax {
  /**
   * Returns true for a string that refers to a secret. Its form is checked when the reference is resolved.
   */
  readonly isReference: (text: string) => boolean;
  /** Returns true for a literal string: neither a reference, nor an escaped or refused reference. */
  readonly isPlain: (text: string) => boolean;
}

/** Dependencies of {@link checkWritten}. */
interface WrittenCheck {
  readonly validate: Validator;
  readonly syntax: ReferenceSyntax;
}

/** Part with all faults that its schema reports. */
export interface CheckedPart {
  readonly written: Written;
  readonly faults: readonly Fault[];
}

/**
 * Checks a part of a document without changing it. Returns a copy with the schema's defaults and absolute
 * paths, and the faults with their positions. Also checks the options of a plugin.
 */
export function checkWritten(part: WrittenPart, check: WrittenCheck): CheckedPart {
  const { document, at } = part;
  if (!document.sound) return { written: { ...part, secrets: [] }, faults: [] };
  const insertions = insertionsIn(part);
  const conversion = validateConverted(part.value, insertions, check.validate);
  const { value, result, converted } = conversion;
  const { violations, secrets, paths } = result;
  const textAt = (pointer: string): string => {
    const text = valueAt(part.value, pointer);
    return typeof text === 'string' ? text : '';
  };
  const isDeferred = (violation: Violation): boolean =>
    dependsOnValue(violation) && check.syntax.isReference(textAt(violation.pointer));
  const reported = new Set(document.faults.map(({ pointer }) => pointer));
  const faults = violations
    .filter((violation) => !isDeferred(violation))
    .filter(({ pointer }) => !reported.has(at + pointer))
    .map((violation) => {
      const fault = violationFault(document, at, violation);
      const insertion = insertions.get(violation.pointer);
      if (!insertion) return fault;
      const isConverted = converted.has(violation.pointer);
      const isSecret = conversion.secrets.has(violation.pointer);
      const text = textAt(violation.pointer);
      return { ...fault, ...variableFault({ violation, insertion, text, isConverted, isSecret }) };
    });
  const plain = paths.filter((pointer) => check.syntax.isPlain(textAt(pointer)));
  const absolute = absolutePaths(value, plain, document.file);
  const written = {
    id: part.id,
    document,
    at,
    value: absolute,
    secrets,
    converted: sharedIfEmpty(converted),
  };
  return { written: violations.length === 0 ? { ...written, paths } : written, faults };
}

/** Returns the scalars with environment variables in a part, by pointer relative to the part. */
function insertionsIn({ document, at }: Pick<Written, 'document' | 'at'>): Insertions {
  const inside = [...(document.insertions ?? [])].filter(([pointer]) => pointer.startsWith(`${at}/`));
  return new Map(inside.map(([pointer, insertion]) => [pointer.slice(at.length), insertion]));
}

/** Converts a schema violation into a fault of the document. */
function violationFault(document: WrittenDocument, at: string, violation: Violation): Fault {
  const { keyword, message, advice } = violation;
  const pointer = at + violation.pointer;
  const empty = keyword === 'type' && valueAt(document.value, pointer) === null;
  const fix = empty ? FIX_EMPTY : advice;
  const fault = faultAt(document, pointer, { code: 'schema', message, fix });
  return NAME_KEYWORDS.has(keyword) ? { ...fault, ...document.locateKey(pointer) } : fault;
}

/**
 * Returns true if a violation depends on the resolved value of a reference. A secret is always a scalar, so a
 * reference instead of an object or array is always a fault.
 */
function dependsOnValue({ keyword, types }: Violation): boolean {
  const wantsContainer = types?.every((type) => ['object', 'array', 'null'].includes(type)) ?? false;
  return !NAME_KEYWORDS.has(keyword) && !wantsContainer;
}

/** Keywords that concern the name of a member, not its value. */
const NAME_KEYWORDS = new Set(['additionalProperties', 'unevaluatedProperties', 'propertyNames']);

const FIX_EMPTY = 'Give it a value, or remove the key.';

/**
 * Returns a copy of a value with absolute paths at the pointers. Relative paths start at the folder of the
 * file.
 */
export function absolutePaths(value: unknown, pointers: readonly string[], file: string): unknown {
  const changes = new Map<string, unknown>();
  for (const pointer of pointers) {
    const written = valueAt(value, pointer);
    if (typeof written === 'string') changes.set(pointer, absolutePath(written, dirname(file)));
  }
  return withValues(value, changes);
}

const SERVER_URL = /^postgres(?:ql)?:\/\//;

/**
 * Returns the absolute form of a path. A storage URL has its path after `sqlite:`; a database in memory or on
 * a server has no path.
 */
function absolutePath(written: string, folder: string): string {
  const [, scheme = '', path = ''] = /^(sqlite:)?(.*)$/s.exec(written) ?? [];
  if (path === '' || (scheme !== '' && path === ':memory:') || SERVER_URL.test(written)) return written;
  return scheme + resolve(folder, path);
}
