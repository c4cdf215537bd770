#!/usr/bin/env node
import { processIo } from './process-io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), processIo);

/**
 * Time for output to be written before the process exits, in milliseconds. Open handles (a plugin's timer,
 * for example) do not keep the process alive.
 */
const LAST_WORDS_MS = 1_000;
setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
