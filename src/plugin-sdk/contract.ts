import { readFileSync } from 'node:fs';
import { readDocument } from '../config/document.js';
import type { AdapterPlugin } from '../core/adapter.js';
import { compileSchema } from '../json-schema/compile.js';
import { type ContractCase, registerContract } from './contract-suite/adapter-contract.js';

export type { ContractCase, ContractRunner } from './contract-suite/adapter-contract.js';

/**
 * Registers the contract of an adapter plugin (`plugins/README.md`) as tests. Plugin authors import this
 * function from `gatehouse-proxy/plugin/contract`, and call it while the runner collects its tests.
 */
export function runAdapterContract(plugin: AdapterPlugin, example: ContractCase): void {
  registerContract(plugin, example, {
    compile: compileSchema,
    readText: (file) => readFileSync(file, 'utf8'),
    parseYaml: (text) => readDocument({ file: 'README.md', text }, {}).value,
  });
}
