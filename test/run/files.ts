import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseRunArguments, type RunOptions, UsageError } from './arguments.js';
import { changedTests, testsOfChanges } from './changed.js';
import { filesDoneIn } from './earlier-run.js';
import { DIST, ROOT, sourceOf } from './paths.js';
import { lackOfService, type ServiceName } from './services.js';
import { type Tier, tierOf, TIERS } from './tiers.js';

/** Folders with tests: of the product, and of the tools that measure it, which are compiled only for their own tests. */
const TESTS = ['test', 'bench', 'evidence'];

/** A tier with the files to run. */
export interface Part {
  readonly name: string;
  /** Compiled files, as absolute paths. */
  readonly files: readonly string[];
  /** Parts of the build that the tests open. */
  readonly builds: readonly string[];
  readonly services: readonly ServiceName[];
  /** True for a tier that `npm test` omits. */
  readonly onlyInAll: boolean;
}

/** Selects the files for the options, by tier. Omits tiers whose program is not installed. */
export function partsOf(options: RunOptions): readonly Part[] {
  const files = chooseFiles(options);
  return TIERS.filter(({ requires }) => !requires || lackOfService(requires) === undefined)
    .map((tier) => ({
      name: tier.name,
      files: filesOf(tier, files),
      builds: tier.builds ?? [],
      services: [...(tier.requires ? [tier.requires] : []), ...(tier.uses ?? [])],
      onlyInAll: tier.onlyInAll ?? false,
    }))
    .filter((part) => part.files.length > 0);
}

/** Groups tiers that run side by side: those of `npm test`, and then the others, most of which wait for other programs. */
export function groupsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  return [false, true]
    .map((isOnlyInAll) => parts.filter(({ onlyInAll }) => onlyInAll === isOnlyInAll))
    .filter((group) => group.length > 0);
}

/** Returns the parts of the build that the tests of a command line open, besides the compiled code. */
export function partsToBuild(args: readonly string[]): readonly string[] {
  try {
    return [...new Set(partsOf(parseRunArguments(args)).flatMap(({ builds }) => builds))];
  } catch (error) {
    // The run of the tests reports an invalid command line.
    if (error instanceof UsageError) return [];
    throw error;
  }
}

/** Returns the selected tiers that cannot run, because their program is not installed. */
export function omittedTiers(options: RunOptions): readonly (Tier & { readonly requires: ServiceName })[] {
  const files = chooseFiles(options);
  return TIERS.flatMap((tier) => {
    const { requires } = tier;
    const isOmitted = requires && lackOfService(requires) && filesOf(tier, files).length > 0;
    return isOmitted ? [{ ...tier, requires }] : [];
  });
}

function filesOf(tier: Tier, chosen: readonly string[]): readonly string[] {
  return chosen.filter((file) => tierOfFile(file) === tier.name);
}

function chooseFiles(options: RunOptions): readonly string[] {
  const done = options.after === undefined ? [] : filesDoneIn(options.after, options);
  return selectFiles(options).filter((file) => !done.includes(sourceOf(file)));
}

function selectFiles(options: RunOptions): readonly string[] {
  const { tiers, files } = options;
  if (options.changedTests) return changedTests(ROOT, allFiles());
  if (options.changed) return testsOfChanges(ROOT, allFiles());
  if (files.length > 0) return files.map(compiledFile);
  return allFiles().filter((file) => tiers.includes(tierOfFile(file) ?? ''));
}

function allFiles(): readonly string[] {
  return TESTS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => compiledPath(join(folder, name))),
  ).sort();
}

/** Returns the compiled form of a test file, which may be given as source or as compiled file. */
function compiledFile(name: string): string {
  const path = relative(ROOT, resolve(ROOT, name))
    .replace(/^dist\//, '')
    .replace(/\.js$/, '.ts');
  if (!existsSync(join(ROOT, path))) throw new UsageError(`no test file ${name}`);
  return compiledPath(path);
}

function compiledPath(source: string): string {
  return join(DIST, source.replace(/\.ts$/, '.js'));
}

function tierOfFile(file: string): string | undefined {
  return tierOf(sourceOf(file).replace(/^test\//, ''));
}
