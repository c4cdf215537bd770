import { readFileSync } from 'node:fs';

/** Memory of a process, in MB with one digit behind the point (Linux). */
export function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 102.4) / 10;
}
