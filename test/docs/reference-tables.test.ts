import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '../../src/core/schema.js';
import { describeOperations } from '../../src/features/operations.js';
import type { Desired } from '../../src/server/state/configuration.js';
import { restartNeeded } from '../../src/server/state/restart-needed.js';
import { settingsSchema } from '../../src/settings/settings.js';
import { pathFault } from '../../src/upstream/target.js';
import { codeOf, readPage, ROOT, rowsBelow } from './markdown.js';

/** Returns the texts inside backticks. */
function codesOf(cell: string | undefined): readonly string[] {
  return [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

describe('the table of paths', () => {
  const rows = rowsBelow(readPage('docs/reference/requests.md'), '## Paths').slice(1, 10);
  const rejected = rows.flatMap(([path]) => codesOf(path));
  const accepted = rows.flatMap(([, , instead]) => codesOf(instead)).filter((path) => path !== '/');

  it('shows paths that are rejected', () => {
    assert.ok(rejected.length >= 10);
    const wrong = rejected.filter((path) => pathFault(path) === undefined);
    assert.deepEqual(wrong, []);
  });

  it('shows paths that are accepted instead', () => {
    assert.ok(accepted.length >= 4);
    const wrong = accepted.filter((path) => pathFault(path) !== undefined);
    assert.deepEqual(wrong, []);
  });
});

describe('the methods of the proxy', () => {
  it('are those of the API description, wherever a text names them (bug: "any method")', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly description: string }>>>>;
    };
    const [, item = {}] = Object.entries(paths).find(([path]) => path.startsWith('/proxy/')) ?? [];
    const methods = Object.keys(item).filter((name) => name !== 'parameters');
    assert.equal(methods.length, 7);
    const { prose } = readPage('docs/how-to/stream-through-the-proxy.md');
    const [guide = ''] = prose.split('\n## ', 1);
    for (const text of [guide, ...methods.map((method) => item[method]?.description ?? '')]) {
      for (const method of methods) assert.ok(text.includes(method.toUpperCase()), `${method}: ${text}`);
      assert.doesNotMatch(text, /any method/);
    }
  });
});

describe('the table of tools for agents', () => {
  it('lists exactly the operations that are tools, with their roles', () => {
    const rows = rowsBelow(readPage('docs/reference/mcp.md'), '## Tools');
    const documented = rows.flatMap(([, operation, roles]) =>
      codeOf(operation) === undefined ? [] : [[codeOf(operation), codesOf(roles)]],
    );
    const tools = describeOperations().flatMap(({ name, row: { roles, tool } }) =>
      tool ? [[name, roles]] : [],
    );
    assert.deepEqual([...documented].sort(), [...tools].sort());
  });
});

/** Returns the keys of a schema that have no keys below them. */
function leavesOf({ properties }: { readonly properties?: Readonly<Record<string, JsonSchema>> }): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const below = leavesOf(member);
    return below.length > 0 ? below.map((key) => `${name}.${key}`) : [name];
  });
}

/** Returns a configuration in which only this key has a value. */
function withKey(key: string, leaf: string): Desired {
  const value = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), leaf);
  return { main: { written: { value } } } as unknown as Desired;
}

describe('the table of keys that need a restart', () => {
  const rows = rowsBelow(readPage('docs/reference/configuration-files.md'), '## Keys that need a restart');
  const live = new Set(rows.flatMap(([cell]) => codesOf(cell)));
  const fixed = new Set(rows.flatMap(([, cell]) => codesOf(cell)));

  /** Returns the longest documented key that is the key or contains it. */
  function sectionOf(key: string): string | undefined {
    const parts = key.split('.');
    const sections = parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
    return sections.find((section) => live.has(section) || fixed.has(section));
  }

  const keys = leavesOf(settingsSchema).filter((key) => key !== 'adapters' && key !== 'auth.local.enabled');

  it('has each key in the right column', () => {
    assert.ok(keys.length > 40);
    const misplaced = keys.filter((key) => {
      const needsRestart = restartNeeded(withKey(key, 'before'), withKey(key, 'after')).length > 0;
      return !(needsRestart ? fixed : live).has(sectionOf(key) ?? '');
    });
    assert.deepEqual(misplaced, []);
  });
});
