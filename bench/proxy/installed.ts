import { versionOf } from '../measure.js';

/** A program that the user of the bench installs. */
export interface InstalledProgram {
  /** Environment variable with the path of the program; without it, `command` is looked up in PATH. */
  readonly variable: string;
  readonly command: string;
  /** Argument that prints the version. */
  readonly version: string;
}

/** Returns the path or name that starts the program. */
export function commandOf({ variable, command }: InstalledProgram): string {
  return process.env[variable] ?? command;
}

/** Returns the reason if the program cannot be started; undefined if it can. */
export function lackOf(program: InstalledProgram): string | undefined {
  if (versionOf(commandOf(program), program.version) !== undefined) return undefined;
  return `${program.command} is neither in PATH nor named by ${program.variable}`;
}
