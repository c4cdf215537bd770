#!/usr/bin/env node
// Imports the program only after the check: Node.js resolves static imports before any statement runs, and a version that is
// too old then ends with the stack trace of a missing export.
import { keepCompiledCode } from './compile-cache.js';
import { unsupportedNode } from './node-version.js';

/** Exit code of a fault in the configuration of the machine (EX_CONFIG). */
const CONFIG_EXIT_CODE = 78;

const problem = unsupportedNode(process.versions.node);
if (problem === undefined) {
  keepCompiledCode(process.env);
  await import('./main.js');
} else {
  process.stderr.write(`gatehouse: ${problem}\n`);
  process.exitCode = CONFIG_EXIT_CODE;
}
