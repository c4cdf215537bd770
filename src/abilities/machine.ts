import { arch, cpus, freemem, loadavg, release, totalmem, uptime } from 'node:os';

/** What this process uses now: memory in bytes, processor time in microseconds since its start. */
export function processUsage() {
  return { memoryUsage: process.memoryUsage(), cpuUsage: process.cpuUsage(), pid: process.pid };
}

/** The runtime that this process has. */
export function runtimeFacts() {
  const { arch, platform, versions } = process;
  return { arch, platform, versions };
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
