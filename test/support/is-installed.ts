import { spawnSync } from 'node:child_process';

/** True for a program that can be started by its name. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
