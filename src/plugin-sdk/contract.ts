import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocument } from '../config/document.js';
import type { AdapterPlugin } from '../core/adapter.js';
import { compileSchema } from '../json-schema/compile.js';
import { type ContractCase, registerContract } from './contract-suite/adapter-contract.js';

export type { ContractCase, ContractRunner } from './contract-suite/adapter-contract.js';

/**
 * Registers the contract of an adapter plugin (`plugins/README.md`) as tests. Plugin authors import this
 * function from `gatehouse-plugin-kit/contract`, and call it while the runner collects its tests.
 *
 * @example
 * ```ts
 * runAdapterContract(plugin, {
 *   folder: import.meta.dirname,
 *   options: { region: 'north' },
 *   badOptions: [{}, { region: 7 }],
 * });
 * ```
 */
export function runAdapterContract(plugin: AdapterPlugin, example: ContractCase): void {
  registerContract(plugin, example, {
    compile: compileSchema,
    readText,
    readSources: (folder) => modulesIn(folder).slice(0, MAX_MODULES).map(readText).join('\n'),
    parseYaml: (text) => readDocument({ file: 'README.md', text }, {}).value,
  });
}

/** Maximum number of modules that are read for the words of a plugin. */
const MAX_MODULES = 100;

const MODULE = /(?<!\.d|\.test)\.[cm]?[jt]s$/;

/** Returns the modules in a folder and its subfolders, without tests, types, and installed packages. */
function modulesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return modulesIn(path);
      return entry.isFile() && MODULE.test(entry.name) ? [path] : [];
    });
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
