import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatYangFault, type YangFault } from '../../yang/diagnostic.js';
import { decodeSource } from '../../yang/syntax/source-text.js';
import type { SourceText } from '../../yang/syntax/statement.js';
import { type CommandIo, EXIT, UsageError } from '../lib/command.js';
import { limitAdvice } from './yang-limits.js';

/** Help on the option `--lenient`. */
export const LENIENT_HELP = `  --lenient          accept faults of published modules, each with a warning: faults that change no meaning, such as
                     statements in the wrong order; patterns and conditions that are invalid, which are not enforced;
                     unknown statements, which are left out; missing imports that no data needs`;

/** Reads the text of a module. Throws a UsageError for a folder. */
export function readSource(file: string): SourceText {
  if (statSync(file).isDirectory())
    throw new UsageError(`${file} is a folder; name its files, for example ${join(file, '*.yang')}`);
  return decodeSource(file, readFileSync(file));
}

/** Returns the files among paths, and the modules in the folders among them, in alphabetical order. */
export function yangFilesOf(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    const files = readdirSync(path)
      .filter((name) => name.endsWith('.yang'))
      .sort();
    if (files.length === 0) throw new UsageError(`${path} contains no .yang file; name another folder`);
    return files.map((name) => join(path, name));
  });
}

/** Prints faults. Returns the exit code. */
export function reportFaults(faults: readonly YangFault[], io: CommandIo): number {
  for (const fault of faults) io.err(`${formatYangFault(fault)}${limitAdvice(fault)}\n`);
  io.err(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}\n`);
  return EXIT.failed;
}

/** Parses features of the form `m:f` into a set of features for each module that is named. */
export function featuresOf(written: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const features = new Map<string, Set<string>>();
  for (const one of written) {
    const [module = '', feature, ...rest] = one.split(':');
    if (module === '' || feature === undefined || rest.length > 0)
      throw new UsageError(`--feature ${one}: write MODULE:FEATURE, or MODULE: for none`);
    const known = features.get(module) ?? new Set<string>();
    features.set(module, feature === '' ? known : known.add(feature));
  }
  return features;
}

/** Returns the value of an option. Throws a UsageError if it is not one of the allowed values. */
export function choiceOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${option} ${value}: use ${allowed.join(' or ')}`);
  return found;
}
