import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { headingOf } from '../../src/yang/index.js';
import type { ModuleSet } from './contender.js';

/**
 * Returns the direct subfolders of a folder, each as a set with imports from the whole folder; empty if the
 * folder does not exist.
 */
export function foldersOf(folder: string): readonly ModuleSet[] {
  const root = resolve(folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: root, files: modulesBelow(join(root, name)) }));
}

/** Returns only main modules: a submodule is compiled with its module. */
function modulesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yang'))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => headingOf(readFileSync(file, 'utf8'))?.kind === 'module');
}

/**
 * Writes our own modules into an empty folder: many small modules that import each other, and one with 95,000
 * nodes.
 */
export function ownSets(folder: string): readonly ModuleSet[] {
  const write = (name: string, body: string): string => {
    const file = join(folder, `${name}.yang`);
    writeFileSync(
      file,
      `module ${name} { yang-version 1.1; namespace "urn:${name}"; prefix ${name};\n${body}\n}\n`,
    );
    return file;
  };
  const small = Array.from({ length: 200 }, (_, at) => write(`small-${at}`, smallBody(at)));
  const large = [write('large', largeBody(95))];
  return [
    { name: 'own, 200 small', folder, files: small },
    { name: 'own, 95,000 nodes', folder, files: large },
  ];
}

function smallBody(at: number): string {
  const before = `small-${at - 1}`;
  const isFirst = at % 10 === 0;
  return `${isFirst ? '' : `import ${before} { prefix p; }`}
  typedef level { type ${isFirst ? 'int32' : 'p:level'} { range "0..${1000 - (at % 10)}"; } }
  grouping entry { leaf name { type string { pattern "[a-z]([a-z0-9-]*[a-z0-9])?"; } } leaf level { type level; default "1"; } }
  container top { list entry { key name; uses entry; leaf peer { type leafref { path "../../entry/name"; } } } }
  ${isFirst ? '' : 'augment "/p:top/p:entry" { leaf more { type level; } }'}`;
}

/** Returns a body with this many thousand nodes, a tenth of them from groupings. */
function largeBody(thousands: number): string {
  const leaves = Array.from(
    { length: 8 },
    (_, at) => `leaf l${at} { type uint16; description "Value ${at} of this list."; }`,
  ).join(' ');
  const list = (at: number): string => `list e${at} { key l0; ${leaves} uses extra; }`;
  const lists = Array.from({ length: 100 }, (_, at) => list(at)).join('\n');
  const containers = Array.from({ length: thousands }, (_, at) => `container c${at} { ${lists} }`).join('\n');
  return `grouping extra { leaf note { type string { length "1..64"; } } }\n${containers}`;
}
