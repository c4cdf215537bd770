import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CompiledModule, compileYang, type CompileOptions, openModules } from '../yang/compile.js';
import { directoryLibrary } from '../yang/modules/library.js';
import { formatYangFault, type YangFault } from '../yang/diagnostic.js';
import { printPaths, printTree } from '../yang/print-tree.js';
import type { SourceText } from '../yang/syntax/statement.js';
import { type Command, type CommandIo, EXIT, parsePositionals, UsageError } from './command.js';

/** Compiles YANG modules to JSON Schema, or prints their trees. */
export const yang: Command = {
  name: 'yang',
  summary: 'compile YANG modules to JSON Schema',
  help: `Usage: gatehouse yang FILE... [OPTIONS]

Compiles each module among the files and prints the JSON Schema of its RFC 7951 documents, the uiSchema
for forms, and warnings about constraints that the schema cannot express. Searches for imported modules
among the files, in their folders, and in every --path. Prints only faults to standard error.

Options:
  --path DIR         folder to search for imported modules, including its subfolders; may be repeated
  --feature M:F      enable only the named features F of module M; M: disables all features of M
  --deviation M      apply the deviations and augments of module M, from a --path; may be repeated
  --format FORMAT    schema (default), tree (RFC 8340), or jtox-like (one line for each data node)
  --content KIND     config (default), or all for state data as well
  --target TARGET    data (default), rpc:NAME/input, rpc:NAME/output, notification:NAME, structure:NAME,
                     action:PATH/input, action:PATH/output, notification:PATH
  --start PATH       data node to start from, such as /module:container/list
  --draft 07         write draft-07 instead of 2020-12
  --lenient          report two faults of published modules as warnings: statements in the wrong order, and
                     a slash at the end of the path of an augment

Exit codes: 0 compiled, 1 faults.`,
  run(args, io) {
    const { values, positionals: files } = parsePositionals(args, OPTIONS);
    if (files.length === 0) throw new UsageError('name at least one file');
    const format = choiceOf('format', values.format, ['schema', 'tree', 'jtox-like']);
    const choices = {
      features: featuresOf(values.feature),
      deviations: values.deviation,
      draft: choiceOf('draft', values.draft, ['2020-12', '07']),
      content: choiceOf('content', values.content, ['config', 'all']),
      target: values.target,
      lenient: values.lenient,
      ...(values.start !== undefined && { path: values.start }),
    };
    const sources = files.map(readSource);
    const library = directoryLibrary([...values.path, ...new Set(files.map((file) => dirname(file)))]);
    const options: CompileOptions = { library, ...choices };
    return Promise.resolve(
      format === 'schema' ? printSchemas(sources, options, io) : print(sources, options, { io, format }),
    );
  },
};

const OPTIONS = {
  path: { type: 'string', multiple: true, default: [] as string[] },
  feature: { type: 'string', multiple: true, default: [] as string[] },
  deviation: { type: 'string', multiple: true, default: [] as string[] },
  format: { type: 'string', default: 'schema' },
  content: { type: 'string', default: 'config' },
  target: { type: 'string', default: 'data' },
  start: { type: 'string' },
  draft: { type: 'string', default: '2020-12' },
  lenient: { type: 'boolean', default: false },
} as const;

function printSchemas(sources: readonly SourceText[], options: CompileOptions, io: CommandIo): number {
  const compiled = compileYang(sources, options);
  if ('faults' in compiled) return report(compiled.faults, io);
  const [only] = compiled.modules;
  const printed: CompiledModule | readonly CompiledModule[] | undefined =
    compiled.modules.length === 1 ? only : compiled.modules;
  io.out(`${JSON.stringify(printed, null, 2)}\n`);
  return EXIT.ok;
}

function print(
  sources: readonly SourceText[],
  options: CompileOptions,
  { io, format }: { io: CommandIo; format: 'tree' | 'jtox-like' },
): number {
  const opened = openModules(sources, options);
  if ('faults' in opened) return report(opened.faults, io);
  for (const module of opened.value.given) {
    const root = opened.value.trees.rootOf(module);
    io.out(format === 'tree' ? printTree(root) : printPaths(root));
  }
  return EXIT.ok;
}

function report(faults: readonly YangFault[], io: CommandIo): number {
  for (const fault of faults) io.err(`${formatYangFault(fault)}\n`);
  io.err(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}\n`);
  return EXIT.failed;
}

function readSource(file: string): SourceText {
  if (statSync(file).isDirectory())
    throw new UsageError(`${file} is a folder; name its files, for example ${join(file, '*.yang')}`);
  return { file, text: readFileSync(file, 'utf8') };
}

/** Parses features of the form `m:f` into a set of features for each module that is named. */
function featuresOf(written: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
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

function choiceOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${option} ${value}: use ${allowed.join(' or ')}`);
  return found;
}
