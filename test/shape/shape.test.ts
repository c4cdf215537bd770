import assert from 'node:assert/strict';
import { readHouse, type Room } from './house.js';

const house = readHouse('src', 'plugins');

/** Folders of the top floor. */
const TOP = new Set(['abilities', 'cli', 'offline', 'workers']);

/** Floor and room of a file: `domain`, `auth`, `apps/tools`, `runtime`, `top`, `plugins/restconf`. */
function placeOf(path: string): string {
  const [top, folder, file] = path.split('/');
  if (top === 'plugins') return `plugins/${folder ?? ''}`;
  if (file === undefined || TOP.has(folder ?? '')) return 'top';
  return folder === 'apps' ? `apps/${file}` : (folder ?? '');
}

/** What a place may import besides itself. */
function mayImport(place: string): readonly string[] | 'anything' {
  if (place === 'top') return 'anything';
  if (place === 'domain') return [];
  if (place === 'runtime') return ['domain', 'config', 'secrets'];
  return ['domain'];
}

/** Third-party packages, each known to as few places as can be. */
const PACKAGE_PLACES: Readonly<Record<string, RegExp>> = {
  ajv: /^src\/json-schema\//,
  'ajv-formats': /^src\/json-schema\//,
  'better-sqlite3': /^src\/storage\//,
  'http-proxy-middleware': /^src\/upstream\/passthrough\.ts$/,
  express: /^src\/http\//,
  'ipaddr.js': /^src\/upstream\//,
  jsonwebtoken: /^src\/auth\/jwt\.ts$/,
  kysely: /^src\/storage\//,
  'prom-client': /^src\/metrics\//,
  sirv: /^src\/http\/site\.ts$/,
  'node-vault': /^src\/secrets\/vault\.ts$/,
  pg: /^src\/storage\//,
  re2js: /^src\/schema-engine\//,
  undici: /^src\/upstream\//,
  winston: /^src\/log\//,
  'winston-transport': /^src\/log\//,
  yaml: /^src\/config\//,
};

/** Names that the specification gave. */
const GIVEN_NAMES = new Set(['orchestratorManager']);

function offenders(test: (room: Room) => readonly string[]): readonly string[] {
  return house.flatMap((room) => test(room).map((what) => `${room.path}: ${what}`));
}

describe('the house', () => {
  it('is there to be looked at', () => {
    assert.ok(house.length > 50);
    assert.ok(house.some(({ imports }) => imports.length > 5));
  });

  it('keeps its floors: a room knows the domain and itself, and no room beside it', () => {
    const wrong = offenders(({ path, imports }) => {
      const place = placeOf(path);
      const allowed = mayImport(place);
      if (allowed === 'anything') return [];
      return imports
        .filter((target) => ![place, ...allowed].includes(placeOf(target)))
        .map((target) => `imports ${target}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('has a ground floor of types and pure rules: no package, no input or output', () => {
    assert.deepEqual(
      offenders(({ path, packages }) => (placeOf(path) === 'domain' ? packages : [])),
      [],
    );
  });

  it('has an engine for schemas that runs in a browser as well: nothing of Node.js', () => {
    assert.deepEqual(
      offenders(({ path, packages }) =>
        placeOf(path) === 'schema-engine' ? packages.filter((name) => name.startsWith('node:')) : [],
      ),
      [],
    );
  });

  it('knows each package in one place', () => {
    const wrong = offenders(({ path, packages }) =>
      packages.filter((name) => !name.startsWith('node:') && !PACKAGE_PLACES[name]?.test(path)),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no circle of imports, types included', () => {
    const edges = new Map(house.map(({ path, imports }) => [path, imports]));
    assert.deepEqual(
      [...edges.keys()].flatMap((path) => circleFrom(path, edges) ?? []),
      [],
    );
  });

  it('has small files and small functions', () => {
    const wrong = offenders(({ lines, functions }) => [
      ...(lines > 300 ? [`${lines} lines`] : []),
      ...functions.filter((one) => one.lines > 60).map((one) => `${one.name} has ${one.lines} lines`),
      ...functions
        .filter((one) => one.parameters > 3)
        .map((one) => `${one.name} has ${one.parameters} parameters`),
    ]);
    assert.deepEqual(wrong, []);
  });

  it('does without export *, default exports, enums, namespaces and decorators', () => {
    assert.deepEqual(
      offenders(({ oddities }) => oddities),
      [],
    );
  });

  it('names its files in kebab-case, and no folder is a dumping ground', () => {
    const wrong = offenders(({ path }) => {
      const parts = path.replace(/\.ts$/, '').split('/');
      return parts.filter((part) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(part) || DUMPING_GROUNDS.test(part));
    });
    assert.deepEqual(wrong, []);
  });

  it('exports nothing that is called Manager, Service, Helper or Util', () => {
    const vague = /(Manager|Service|Helper|Util)s?$/;
    assert.deepEqual(
      offenders(({ exports }) => exports.filter((name) => vague.test(name) && !GIVEN_NAMES.has(name))),
      [],
    );
  });
});

const DUMPING_GROUNDS = /^(utils?|helpers?|common|shared|lib|misc)$/;

/** The first circle that a walk from a file runs into, if it comes back to that file. */
function circleFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): string | undefined {
  const seen = new Set<string>();
  const walk = (path: string, trail: readonly string[]): string | undefined => {
    for (const next of edges.get(path) ?? []) {
      if (next === start) return [...trail, path, start].join(' -> ');
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...trail, path]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(start, []);
}
