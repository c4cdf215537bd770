import { createRequire } from 'node:module';
import type SQLite from 'better-sqlite3';

type Engine = typeof SQLite;

const require = createRequire(import.meta.url);

/**
 * The driver for this Node.js: release 12 for Node.js 20, release 13 from 22 on. Compiled against Node.js 24.19 or later,
 * release 12 ends the process when a statement is collected; release 13 does not run on 20. Throws an Error that says
 * what to do when the driver is not installed.
 */
export function sqliteEngine(): Engine {
  const name = Number(process.versions.node.split('.')[0]) >= 22 ? 'better-sqlite3-13' : 'better-sqlite3';
  try {
    return require(name) as Engine;
  } catch (cause) {
    const advice = 'run npm ci where a C++ compiler is installed, or use Node.js 22 or later';
    throw new Error(`The SQLite driver ${name} cannot be loaded: ${advice}.`, { cause });
  }
}
