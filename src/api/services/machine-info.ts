import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';

/** What this process uses now: memory in bytes, processor time in microseconds since its start. */
export function processUsage() {
  return { memoryUsage: process.memoryUsage(), cpuUsage: process.cpuUsage(), pid: process.pid };
}

/** Parts of Node.js that clients insist on, and that later releases have no more (wire section 6.3). */
const FORMER_PARTS = { ada: '', ares: '', cjs_module_lexer: '', simdutf: '' };

/** The runtime that this process has; a part that it has not has the version ''. */
export function runtimeFacts() {
  const { arch, platform, versions } = process;
  return { arch, platform, versions: { ...FORMER_PARTS, ...versions } };
}

/** The machine as Node sees it: seconds since its start, memory in bytes. */
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
