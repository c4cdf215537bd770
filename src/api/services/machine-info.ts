import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';

/** Returns the current memory of this process in bytes and its processor time in microseconds. */
export function processUsage() {
  return { memoryUsage: process.memoryUsage(), cpuUsage: process.cpuUsage(), pid: process.pid };
}

/** Components of Node.js that clients require, but that newer releases do not include (wire section 6.3). */
const FORMER_PARTS = { ada: '', ares: '', cjs_module_lexer: '', simdutf: '' };

/** Returns the runtime of this process; a missing component has the version ''. */
export function runtimeFacts() {
  const { arch, platform, versions } = process;
  return { arch, platform, versions: { ...FORMER_PARTS, ...versions } };
}

/** Returns the machine as Node.js reports it: uptime in seconds, memory in bytes. */
export function machineFacts() {
  return {
    arch: arch(),
    release: release(),
    uptime: uptime(),
    freemem: freemem(),
    totalmem: totalmem(),
    loadavg: loadavg(),
    cpus: cpus(),
  };
}
