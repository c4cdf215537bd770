import { Secret } from '../../core/secret.js';
import type { LogFields } from '../../core/log.js';
import type { Redact } from '../../core/redactor.js';
import { isSecretName, isSuspicious, maskText, TEXT_LENGTH } from './redact-text.js';

/** Objects inside objects that a line shows. */
const DEPTH = 6;
/** What the fields of one line may hold in all, in characters. */
const ROOM = 65_536;
/** What a value takes of the room besides its own text, so that a million empty ones end too. */
const VALUE_ROOM = 8;

interface Walk {
  /** True shows the stacks of errors. */
  readonly stacks: boolean;
  readonly redact: Redact;
  /** The objects that the walk is inside of. */
  readonly above: Set<object>;
  /** Characters left. */
  room: number;
}

/**
 * The fields as plain JSON values, whatever they are: never throws, never runs away, redacts by name (`[redacted]`),
 * by value (`redact`) and by look (`maskText`). What cannot be shown says why: `[secret]`, `[cyclic]`, `[deep]`, `[cut]`, `[unreadable]`.
 */
export function plainFields(fields: LogFields, stacks: boolean, redact: Redact = asItIs): LogFields {
  try {
    const flat = flatFields(fields, redact);
    if (flat) return flat;
  } catch {
    // A getter or a proxy's trap: the walk knows which.
  }
  try {
    const walk: Walk = { stacks, redact, above: new Set([fields]), room: ROOM };
    return plainMembers(fields, Object.keys(fields), walk);
  } catch {
    return { fields: '[unreadable]' };
  }
}

/**
 * Fields that are short texts, numbers and the like, with nothing in them that looks like a secret: nearly all are, those of each
 * request among them. One look at all texts together finds whatever a look at each would find.
 */
function flatFields(fields: LogFields, redact: Redact): LogFields | undefined {
  const flat: Record<string, unknown> = {};
  let text = '';
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (!isFlat(value) || name === '__proto__') return undefined;
    flat[name] = value;
    text += `\n${name}\n${value}`;
    if (text.length > TEXT_LENGTH) return undefined;
  }
  return isSuspicious(text) || redact(text) !== text ? undefined : flat;
}

function isFlat(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function asItIs(text: string): string {
  return text;
}

function toPlainObject(value: unknown, walk: Walk): unknown {
  walk.room -= VALUE_ROOM;
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

/** A secret may be a number; as one it is masked too. */
function plainNumber(value: number, walk: Walk): number | string {
  const text = walk.redact(String(value));
  return Number.isFinite(value) && text === String(value) ? value : text;
}

function plainText(text: string, walk: Walk): string {
  // By value first: what only looks like a secret may be a part of one.
  const masked = maskText(walk.redact(text));
  walk.room -= masked.length;
  return masked;
}

function plainObject(value: object, walk: Walk): unknown {
  if (walk.above.has(value)) return '[cyclic]';
  if (walk.above.size > DEPTH) return '[deep]';
  walk.above.add(value);
  try {
    return plainContent(value, walk);
  } finally {
    walk.above.delete(value);
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

/** Not an error's other members: HTTP clients hang whole requests on them, credentials included. */
function errorKeys(error: Error, walk: Walk): readonly string[] {
  const keys = ['name', 'message', 'code', 'cause', 'errors', ...(walk.stacks ? ['stack'] : [])];
  return keys.filter((key) => key in error);
}

function plainMembers(source: object, keys: readonly string[], walk: Walk): LogFields {
  const members: [string, unknown][] = [];
  for (const key of keys) {
    if (walk.room <= 0) {
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
    if (walk.room <= 0) {
      shown.push(`[cut] ${items.length - at} more`);
      break;
    }
    shown.push(followsSecretName(items, at) ? '[redacted]' : plainMember(items, at, walk));
  }
  return shown;
}

/** Raw headers are lists in which every name is followed by its value. */
function followsSecretName(items: readonly unknown[], at: number): boolean {
  const before = at > 0 ? items[at - 1] : undefined;
  return typeof before === 'string' && before.length < 64 && isSecretName(before);
}

/** Reading may run a getter or a proxy's trap: what it throws stays here. */
function plainMember(source: object, key: string | number, walk: Walk): unknown {
  try {
    return toPlainObject(Reflect.get(source, key), walk);
  } catch {
    return '[unreadable]';
  }
}
