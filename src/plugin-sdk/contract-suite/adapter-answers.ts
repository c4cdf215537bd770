import assert from 'node:assert/strict';
import { type AdapterMethod, requireMethods } from '../../core/adapter-method.js';
import type { Adapter, RestCall } from '../../core/adapter.js';
import type { PagingRule } from '../../core/paging.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema } from '../../core/schema.js';
import { jsonDepth } from '../../json/json-depth.js';
import { isJsonObject } from '../../json/json-object.js';

/** Asserts that the host can follow what an adapter returns for the pages of lists. */
export function assertPaging(adapter: Pick<Adapter, 'paging'>, calls: readonly RestCall[]): void {
  for (const { path } of calls.filter(({ kind }) => kind === 'query')) {
    const paging = adapter.paging?.(path);
    if (!paging) continue;
    assert.deepEqual(adapter.paging?.(path), paging);
    assertRule(paging.rule);
    for (const bound of Object.values(paging.bounds ?? {}))
      assert.ok(bound > 0, 'each limit of a list is above 0');
  }
}

/** Asserts that a rule has what leads to the next page, and pointers that are pointers. */
function assertRule({ by, items = '', at, parameter, total = '', more = '' }: PagingRule): void {
  assert.ok(
    ['link', 'next', 'offset', 'page', 'cursor', 'header'].includes(by),
    `"${by}" leads to no next page`,
  );
  for (const pointer of [items, total, more, by === 'header' ? '' : (at ?? '')])
    assert.match(pointer, /^(?:\/[^/]*)*$/, 'a JSON pointer begins with "/"');
  if (['next', 'cursor', 'header'].includes(by)) assert.ok(at, `"${by}" needs "at"`);
  if (['offset', 'page', 'cursor', 'header'].includes(by)) assert.ok(parameter, `"${by}" needs "parameter"`);
}

/** Headers that depend on the call. */
const HEADERS_OF_CALL = ['accept', 'content-type'];

/** Asserts that `fixedHeaders` contains the headers that all requests have, because requests of `/proxy` need them too. */
export function assertFixedHeaders(adapter: Adapter, calls: readonly RestCall[]): void {
  const requests = calls.flatMap((call) => adapter.translate(call));
  const shared = Object.entries(requests[0]?.headers ?? {}).filter(
    ([name, value]) =>
      !HEADERS_OF_CALL.includes(name) && requests.every(({ headers }) => headers[name] === value),
  );
  assert.deepEqual(adapter.fixedHeaders?.() ?? {}, Object.fromEntries(shared));
}

/** Maximum depth of the schema of a method: agents get no deeper one. */
const MAX_DEPTH = 100;

/** Asserts that the host, forms and agents can use the methods of an adapter. An adapter that was not started may have none. */
export async function assertMethods(
  adapter: Pick<Adapter, 'methods'>,
  compile: CompileSchema,
): Promise<void> {
  const list = async (): Promise<readonly AdapterMethod[]> => {
    try {
      return (await adapter.methods?.()) ?? [];
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  };
  const methods = requireMethods(await list());
  const again = await list();
  assert.ok(
    methods.every((method, at) => method === again[at]),
    'an unchanged method is the same object',
  );
  assert.equal(new Set(methods.map(({ name }) => name)).size, methods.length, 'two methods have one name');
  for (const { name, input } of methods) {
    assert.ok(isJsonObject(input['properties'] ?? {}), `${name}: the input has its arguments as properties`);
    assert.ok(jsonDepth(input, MAX_DEPTH) <= MAX_DEPTH, `${name}: the input is nested too deeply`);
    compile(input);
  }
}
