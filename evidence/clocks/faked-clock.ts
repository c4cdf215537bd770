import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The wall clock of a process, which can be set while the process runs; its monotonic clock is not affected.
 */
export interface FakedClock {
  /** Environment variables that make a process use this clock. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, as the process sees them. */
  now(): number;
  /** Sets the clock relative to the system time by this number of seconds, which may be negative. */
  set(seconds: number): void;
}

/**
 * Opens a clock whose offset is stored in a folder; returns the reason if this machine does not support it.
 */
export function openFakedClock(folder: string): FakedClock | string {
  const library = findLibrary();
  if (library === undefined) return 'there is no libfaketime here';
  const file = join(folder, 'clock');
  let offset = 0;
  const clock: FakedClock = {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Otherwise the modification times of all files would shift with the clock.
      NO_FAKE_STAT: '1',
    },
    now: () => Date.now() + offset * 1000,
    set(seconds) {
      writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
      renameSync(`${file}.new`, file);
      offset = seconds;
    },
  };
  clock.set(86_400);
  const isFaked = Math.abs(askProcess(clock) - clock.now()) < 3_600_000;
  clock.set(0);
  return isFaked ? clock : 'this Node.js does not go by libfaketime';
}

function askProcess({ env }: FakedClock): number {
  const { stdout } = spawnSync(process.execPath, ['-p', 'Date.now()'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return Number(stdout);
}

/** Debian keeps it in a folder for each kind of machine. */
function findLibrary(): string | undefined {
  const folders = ['/usr/lib', '/usr/local/lib', '/usr/lib64'].filter((folder) => existsSync(folder));
  const machines = folders.flatMap((folder) =>
    ['', ...readdirSync(folder)].map((name) => join(folder, name)),
  );
  return machines
    .map((folder) => join(folder, 'faketime', 'libfaketimeMT.so.1'))
    .find((file) => existsSync(file));
}
