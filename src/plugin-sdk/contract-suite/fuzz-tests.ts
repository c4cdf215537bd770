import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Adapter, OutboundRequest, RestCall, UpstreamReply } from '../../core/adapter.js';
import { Problem } from '../../core/problem.js';
import { pathsIn, type MemberPath } from './source-words.js';

/** Number of random inputs of each kind. */
const RANDOM_INPUTS = 2_000;

/** Maximum number of variants of an example reply. */
const MAX_VARIANTS = 1_000;

/** Data of the tests with generated inputs. */
interface FuzzSubject {
  readonly createAdapter: () => Adapter;
  /** Source text of the plugin, whose words become member names. */
  readonly source: string;
  /** Replies of the author, which are varied. */
  readonly replies: readonly UpstreamReply[];
  readonly seed: number;
  /** Throws if the host could not send the request. */
  readonly assertSendable: (request: OutboundRequest) => void;
}

type It = (name: string, body: () => void | Promise<void>) => unknown;

/** Registers the tests with generated inputs. The same seed generates the same inputs. */
export function registerFuzzTests(subject: FuzzSubject, it: It): void {
  const { createAdapter, source, replies, seed, assertSendable } = subject;
  const paths = pathsIn(source);

  it('translates generated calls to requests that the host can send, or rejects them with a Problem', () => {
    const adapter = createAdapter();
    const random = createRandom(seed);
    for (let count = 0; count < RANDOM_INPUTS; count += 1) {
      const call = randomCall(random, paths);
      const failure = failureOf(() => {
        translateTwice(adapter, call, assertSendable);
      });
      if (failure !== undefined) assert.fail(`translate ${failure}\nfor the call ${shownCall(call)}`);
    }
  });

  it('shapes and explains generated replies without throwing', () => {
    const adapter = createAdapter();
    const random = createRandom(seed);
    const documents = [
      ...oddDocuments(paths),
      ...replies.flatMap(({ body }) => variantsOfReply(body)),
      ...Array.from({ length: RANDOM_INPUTS }, () => randomDocument(random, paths)),
    ];
    for (const document of documents)
      for (const [name, check] of [
        ['shape', shapeTwice],
        ['explain', explainTwice],
      ] as const) {
        const fails = (value: unknown): string | undefined =>
          failureOf(() => {
            check(adapter, jsonReply(value, name));
          });
        if (fails(document) === undefined) continue;
        const smallest = smallestFailing(document, (value) => fails(value) !== undefined);
        assert.fail(`${name} ${fails(smallest) ?? ''}\n${shownReply(smallest, name)}`);
      }
  });
}

/** Returns what is wrong with a function of the plugin; undefined if it works. */
function failureOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof assert.AssertionError) return `breaks the contract: ${error.message}`;
    return `throws ${error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)}`;
  }
}

function translateTwice(
  adapter: Adapter,
  call: RestCall,
  assertSendable: FuzzSubject['assertSendable'],
): void {
  let requests: readonly OutboundRequest[];
  try {
    requests = adapter.translate(call);
  } catch (error) {
    if (error instanceof Problem) return;
    throw error;
  }
  assert.ok(requests.length > 0, 'a call becomes at least one request');
  assert.deepEqual(adapter.translate(call), requests, 'the same call becomes the same requests');
  requests.forEach(assertSendable);
}

const QUERY: RestCall = { kind: 'query', method: 'GET', path: '/', accept: '*/*' };

function shapeTwice(adapter: Adapter, reply: UpstreamReply): void {
  if (!adapter.shape) return;
  const value = adapter.shape(QUERY, reply);
  assert.deepEqual(adapter.shape(QUERY, reply), value, 'the same reply has the same result');
  assert.notEqual(JSON.stringify(value), undefined, 'the result is a JSON value');
}

function explainTwice(adapter: Adapter, reply: UpstreamReply): void {
  const explanation = adapter.explain?.(reply);
  assert.deepEqual(adapter.explain?.(reply), explanation, 'the same reply has the same explanation');
  if (explanation === undefined) return;
  assert.ok(typeof explanation.detail === 'string' && explanation.detail !== '', 'the detail is a text');
}

/** Status of the replies that the host passes to each function. */
const STATUSES = { shape: 200, explain: 400 } as const;

function jsonReply(document: unknown, name: keyof typeof STATUSES): UpstreamReply {
  const body = Buffer.from(JSON.stringify(document));
  return { status: STATUSES[name], headers: { 'content-type': 'application/json' }, body };
}

function variantsOfReply(body: Uint8Array): readonly unknown[] {
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(body).toString());
  } catch {
    // Replies in other formats are truncated and corrupted by the samples.
    return [];
  }
  const variants: unknown[] = [];
  for (const variant of variantsOf(document)) {
    if (variants.push(variant) >= MAX_VARIANTS) break;
  }
  return variants;
}

/** Returns the document without the parts that the failure does not need. */
function smallestFailing(document: unknown, fails: (value: unknown) => boolean): unknown {
  const smaller = withoutOne(document).find(fails);
  if (smaller !== undefined) return smallestFailing(smaller, fails);
  if (typeof document !== 'object' || document === null) return document;
  let result: unknown = document;
  for (const [key, value] of Object.entries(document)) {
    const inner = smallestFailing(value, (part) => fails(withMember(result, key, part)));
    result = withMember(result, key, inner);
  }
  return result;
}

function shownReply(document: unknown, name: keyof typeof STATUSES): string {
  return `for the reply ${JSON.stringify(document)} (status ${STATUSES[name]}, application/json); correct ${name}, and add the reply to "replies"`;
}

function shownCall({ method, path, accept, contentType, body }: RestCall): string {
  const text = body === undefined ? undefined : body.toString();
  return inspect({ method, path, accept, contentType, body: text }, { breakLength: Infinity });
}

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
function oddDocuments(paths: readonly MemberPath[]): readonly unknown[] {
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
function* variantsOf(document: unknown): Generator {
  yield* ODD_VALUES;
  yield* withoutOne(document);
  if (typeof document !== 'object' || document === null) return;
  for (const [key, value] of Object.entries(document))
    for (const variant of variantsOf(value)) yield withMember(document, key, variant);
}

/** Returns the copies of an object or array without one of its members; none for other values. */
function withoutOne(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document.map((_, at) => document.toSpliced(at, 1) as unknown);
  if (typeof document !== 'object' || document === null) return [];
  const entries = Object.entries(document);
  return entries.map((_, at) => Object.fromEntries(entries.toSpliced(at, 1)) as unknown);
}

/** Returns a copy of an object or array with another value of one member. */
function withMember(document: unknown, key: string, value: unknown): unknown {
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
