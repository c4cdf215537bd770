#!/usr/bin/env node
import { processIo } from './cli/process-io.js';
import { run } from './cli/run.js';

process.exitCode = await run(process.argv.slice(2), processIo);
