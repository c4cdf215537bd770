#!/usr/bin/env node
import { processIo } from './process-io.js';
import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), processIo);

/** What is left open by then (a plugin's timer, for example) does not keep the process; output has a moment to leave. */
const LAST_WORDS_MS = 1_000;
setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
