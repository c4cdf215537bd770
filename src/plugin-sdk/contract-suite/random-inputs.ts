import type { RestCall } from '../../core/adapter.js';
import type { MemberPath } from './source-words.js';

/** Returns a number from 0 to below `limit`. */
type Random = (limit: number) => number;

/** Creates a generator that returns the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Values of every JSON type at a place where a plugin expects one type, from small to large. */
const ODD_VALUES: readonly unknown[] = [
  ...[null, true, 0, -1.5, '', 'a', [], {}],
  ...[[{}], [null], [''], [0], [[]], { a: null }],
];

/** Returns the documents that have an odd value at one of the paths. */
export function oddDocuments(paths: readonly MemberPath[]): readonly unknown[] {
  return [
    ...ODD_VALUES,
    ...paths.flatMap((path) => ODD_VALUES.map((value) => nest(path, value))),
    ...paths.flatMap((path) => ODD_VALUES.map((value) => [nest(path, value)])),
  ];
}

function nest(path: MemberPath, value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

/** Maximum nesting of a random document. */
const MAX_DEPTH = 5;

/** Returns a random document with members of these paths. */
export function randomDocument(random: Random, paths: readonly MemberPath[], depth = 0): unknown {
  const kind = random(10);
  if (depth >= MAX_DEPTH || kind < 3) return pick(random, ODD_VALUES);
  const inner = (): unknown => randomDocument(random, paths, depth + 1);
  if (kind < 6) return Array.from({ length: random(3) }, inner);
  const members = Array.from({ length: 1 + random(3) }, () => nest(pick(random, paths) ?? ['a'], inner()));
  return Object.assign({}, ...members) as unknown;
}

/** Generates copies of a document in which one of its values is an odd value, or is missing. */
export function* variantsOf(document: unknown): Generator {
  yield* ODD_VALUES;
  yield* withoutOne(document);
  if (typeof document !== 'object' || document === null) return;
  for (const [key, value] of Object.entries(document))
    for (const variant of variantsOf(value)) yield withMember(document, key, variant);
}

/** Returns the copies of an object or array without one of its members; none for other values. */
export function withoutOne(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document.map((_, at) => document.toSpliced(at, 1) as unknown);
  if (typeof document !== 'object' || document === null) return [];
  const entries = Object.entries(document);
  return entries.map((_, at) => Object.fromEntries(entries.toSpliced(at, 1)) as unknown);
}

/** Returns a copy of an object or array with another value of one member. */
export function withMember(document: unknown, key: string, value: unknown): unknown {
  return Array.isArray(document)
    ? document.with(Number(key), value)
    : { ...(document as object), [key]: value };
}

const PATH_PIECES = [
  '/',
  '//',
  'a',
  '..',
  '.',
  '%2F',
  '%',
  '%00',
  '?',
  '&',
  '=',
  '#',
  ' ',
  'ä',
  ':',
  ';',
  '{id}',
];
const METHODS = ['GET', 'PATCH', 'PUT', 'POST', 'DELETE'] as const;
const MEDIA_TYPES = ['application/json', '*/*', 'text/plain', 'application/x-www-form-urlencoded'] as const;

/** Returns a random call, some with a body of these documents. */
export function randomCall(random: Random, paths: readonly MemberPath[]): RestCall {
  const method = pick(random, METHODS) ?? 'GET';
  const words = [...PATH_PIECES, ...paths.map((path) => path.join('/'))];
  const path = `/${Array.from({ length: random(8) }, () => pick(random, words) ?? '').join('')}`;
  const accept = pick(random, MEDIA_TYPES) ?? '*/*';
  const call = { kind: method === 'GET' ? 'query' : 'action', method, path, accept } as const;
  if (method === 'GET' || random(3) === 0) return call;
  const body = Buffer.from(JSON.stringify(randomDocument(random, paths)));
  const contentType = pick(random, MEDIA_TYPES);
  return { ...call, body, ...(random(2) === 0 && contentType !== undefined && { contentType }) };
}

function pick<T>(random: Random, values: readonly T[]): T | undefined {
  return values[random(values.length)];
}
