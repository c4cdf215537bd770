import type { LogFields } from '../../core/log.js';
import { type Redact, Secret } from '../../core/secret.js';
import { isSecretName, isSuspicious, maskText, TEXT_LENGTH } from '../../lib/mask-text.js';

/** Maximum nesting of objects in a line. */
const MAX_DEPTH = 6;
/** Maximum total length of the fields of a line, in characters. */
const MAX_LENGTH = 65_536;
/** Length counted for a value in addition to its text, so that a million empty values reach the limit too. */
const VALUE_LENGTH = 8;

interface Walk {
  /** True includes the stacks of errors. */
  readonly stacks: boolean;
  readonly redact: Redact;
  /** The objects that enclose the current value. */
  readonly ancestors: Set<object>;
  remaining: number;
}

/** Plain fields of a line, and their JSON if it is known already. */
export interface RenderedFields {
  readonly fields: LogFields;
  readonly json?: string;
}

/**
 * Converts arbitrary fields to plain JSON values. Never throws and always terminates. Redacts by name
 * (`[redacted]`), by value (`redact`) and by pattern (`maskText`). Marks omitted values with the reason:
 * `[secret]`, `[cyclic]`, `[deep]`, `[cut]`, `[unreadable]`.
 */
export function plainFields(fields: LogFields, stacks: boolean, redact: Redact = identity): LogFields {
  return renderFields(fields, stacks, redact).fields;
}

/** Converts fields as {@link plainFields}. Almost every line has short and harmless fields, whose JSON is kept. */
export function renderFields(fields: LogFields, stacks: boolean, redact: Redact): RenderedFields {
  try {
    const flat = flatFields(fields, redact);
    if (flat) return flat;
  } catch {
    // A getter or a proxy trap failed: the full walk finds out which.
  }
  try {
    const walk: Walk = { stacks, redact, ancestors: new Set([fields]), remaining: MAX_LENGTH };
    return { fields: plainMembers(fields, Object.keys(fields), walk) };
  } catch {
    return { fields: { fields: '[unreadable]' } };
  }
}

/**
 * Returns a copy of fields of short texts, numbers and booleans without suspicious content; `undefined` for other fields.
 * A single check of their JSON finds everything that separate checks would find: without a backslash, every name and
 * value is in it as it is.
 */
function flatFields(fields: LogFields, redact: Redact): RenderedFields | undefined {
  const flat = { ...fields };
  for (const name in flat) if (!isFlat(flat[name])) return undefined;
  const json = JSON.stringify(flat);
  if (json.length > TEXT_LENGTH || json.includes('\\')) return undefined;
  return isSuspicious(json) || redact(json) !== json ? undefined : { fields: flat, json };
}

function isFlat(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function identity(text: string): string {
  return text;
}

function toPlainObject(value: unknown, walk: Walk): unknown {
  walk.remaining -= VALUE_LENGTH;
  switch (typeof value) {
    case 'string':
      return plainText(value, walk);
    case 'number':
      return plainNumber(value, walk);
    case 'boolean':
      return value;
    case 'bigint':
      return plainText(value.toString(), walk);
    case 'object':
      return value === null ? null : plainObject(value, walk);
    default:
      return `[${typeof value}]`;
  }
}

/** Converts a number; a secret number is also masked. */
function plainNumber(value: number, walk: Walk): number | string {
  const text = walk.redact(String(value));
  return Number.isFinite(value) && text === String(value) ? value : text;
}

function plainText(text: string, walk: Walk): string {
  // Known values first: a text that matches a pattern may be a part of a known secret.
  const masked = maskText(walk.redact(text));
  walk.remaining -= masked.length;
  return masked;
}

function plainObject(value: object, walk: Walk): unknown {
  if (walk.ancestors.has(value)) return '[cyclic]';
  if (walk.ancestors.size > MAX_DEPTH) return '[deep]';
  walk.ancestors.add(value);
  try {
    return plainContent(value, walk);
  } finally {
    walk.ancestors.delete(value);
  }
}

function plainContent(value: object, walk: Walk): unknown {
  if (value instanceof Secret) return value.toString();
  if (value instanceof Error) return plainMembers(value, errorKeys(value, walk), walk);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return plainItems(value, walk);
  if (value instanceof Set) return plainItems([...(value as Set<unknown>)], walk);
  if (value instanceof Map) {
    const members = Object.fromEntries([...(value as Map<unknown, unknown>)].map(([k, v]) => [String(k), v]));
    return plainMembers(members, Object.keys(members), walk);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toPlainObject((value.toJSON as () => unknown)(), walk);
  }
  return plainMembers(value, Object.keys(value), walk);
}

/**
 * Returns the members of an error to show. Omits other members, because HTTP clients attach whole requests,
 * including credentials.
 */
function errorKeys(error: Error, walk: Walk): readonly string[] {
  const keys = ['name', 'message', 'code', 'cause', 'errors', ...(walk.stacks ? ['stack'] : [])];
  return keys.filter((key) => key in error);
}

function plainMembers(source: object, keys: readonly string[], walk: Walk): LogFields {
  const members: [string, unknown][] = [];
  for (const key of keys) {
    if (walk.remaining <= 0) {
      members.push(['[cut]', `${keys.length - members.length} more`]);
      break;
    }
    members.push([plainText(key, walk), isSecretName(key) ? '[redacted]' : plainMember(source, key, walk)]);
  }
  return Object.fromEntries(members);
}

function plainItems(items: readonly unknown[], walk: Walk): readonly unknown[] {
  const shown: unknown[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (walk.remaining <= 0) {
      shown.push(`[cut] ${items.length - at} more`);
      break;
    }
    shown.push(followsSecretName(items, at) ? '[redacted]' : plainMember(items, at, walk));
  }
  return shown;
}

/** A name, of a header or an option. A pointer or a path to a secret is no such name. */
const PLAIN_NAME = /^[\w-]{1,63}$/;

/**
 * Returns true if the previous item is a secret name. Raw headers are lists of alternating names and values.
 */
function followsSecretName(items: readonly unknown[], at: number): boolean {
  const before = at > 0 ? items[at - 1] : undefined;
  return typeof before === 'string' && PLAIN_NAME.test(before) && isSecretName(before);
}

/** Reads and converts a member; errors of getters and proxy traps are caught here. */
function plainMember(source: object, key: string | number, walk: Walk): unknown {
  try {
    return toPlainObject(Reflect.get(source, key), walk);
  } catch {
    return '[unreadable]';
  }
}
