import { dirname } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { type CompileOptions, openDocuments, openModules } from '../../yang/compile.js';
import { DIALECTS } from '../../yang/json-schema/dialect.js';
import { bundledIn, firstOf } from '../../yang/modules/bundled-modules.js';
import { directoryLibrary, type ModuleRegistry } from '../../yang/modules/library.js';
import { openApiOf } from '../../yang/openapi/openapi-document.js';
import { printPaths, printTree } from '../../yang/print-tree.js';
import type { SourceText } from '../../yang/syntax/statement.js';
import {
  type Command,
  type CommandIo,
  EXIT,
  parsePositionals,
  UsageError,
  type Subcommand,
} from '../lib/command.js';
import { printJson, printJsonList } from '../lib/print-json.js';
import { choiceOf, featuresOf, LENIENT_HELP, readSource, reportFaults, yangFilesOf } from './yang-input.js';
import { LIMIT_OPTIONS, limitsOf } from './yang-limits.js';
import { validateFiles } from './yang-validate.js';

/** Writes an OpenAPI document of the RESTCONF API of YANG modules. */
const yangOpenApi: Subcommand = {
  name: 'yang openapi',
  usage: 'openapi',
  summary: 'write an OpenAPI document of the RESTCONF API of YANG modules',
  help: `Usage: gatehouse yang openapi FILE|FOLDER... [OPTIONS]

Writes one OpenAPI 3.1 document of the RESTCONF API (RFC 8040) of all named modules: data resources with keys,
RPC operations and actions. State has only GET. Schemas that are used more than once are components.

Options:
  --path DIR         folder to search for imported modules, including its subfolders; may be repeated
  --feature M:F      enable only the named features F of module M; M: disables all features of M
  --deviation M      apply the deviations and augments of module M, from a --path; may be repeated
  --depth COUNT      maximum number of data nodes in a path (default 4)
  --start PATH       resources at and below a data node, such as /module:container; may be repeated
  --root PATH        root resource of the server (default /restconf)
  --format FORMAT    json (default), or yaml
  --max-nodes N      largest number of schema nodes after groupings are expanded; also --max-statements,
                     --max-characters and --timeout-ms, as of gatehouse yang
${LENIENT_HELP}

Exit codes: 0 written, 1 faults.`,
  async run(args, io) {
    const { values, positionals } = parsePositionals(args, OPENAPI_OPTIONS);
    if (positionals.length === 0) throw new UsageError('name at least one file or folder');
    const format = choiceOf('format', values.format, ['json', 'yaml']);
    const depth = depthOf(values.depth);
    const files = yangFilesOf(positionals);
    const opened = openModules(files.map(readSource), {
      library: libraryOf(files, values.path),
      features: featuresOf(values.feature),
      deviations: values.deviation,
      lenient: values.lenient,
      limits: limitsOf(values),
    });
    if ('faults' in opened) return reportFaults(opened.faults, io);
    const { start: below, root } = values;
    const document = openApiOf(opened.value.given, opened.value, { depth, below, root });
    if (below.length > 0 && Object.keys(document['paths'] as object).length === 0)
      throw new UsageError(
        `--start ${below.join(' ')}: no container or list entry has this path within --depth ${depth}`,
      );
    if (format === 'json') await printJson(document, io);
    else {
      // Loaded when needed, because every gatehouse yang would wait for it.
      const { writeYaml } = await import('../../config/yaml.js');
      io.out(writeYaml(document));
    }
    return EXIT.ok;
  },
};

const OPENAPI_OPTIONS = {
  path: { type: 'string', multiple: true, default: [] as string[] },
  feature: { type: 'string', multiple: true, default: [] as string[] },
  deviation: { type: 'string', multiple: true, default: [] as string[] },
  depth: { type: 'string', default: '4' },
  start: { type: 'string', multiple: true, default: [] as string[] },
  root: { type: 'string', default: '/restconf' },
  format: { type: 'string', default: 'json' },
  lenient: { type: 'boolean', default: false },
  ...LIMIT_OPTIONS,
} as const;

function depthOf(text: string): number {
  if (!/^[1-9][0-9]{0,2}$/.test(text)) throw new UsageError(`--depth ${text}: use a number from 1 to 999`);
  return Number(text);
}

/** Compiles YANG modules to JSON Schema, or prints their trees. */
export const yang: Command = {
  name: 'yang',
  help: `Usage: gatehouse yang FILE... [OPTIONS]

Compiles each module among the files and prints the JSON Schema of its RFC 7951 documents, the uiSchema
for forms, and warnings about constraints that the schema cannot express. Searches for imported modules
among the files, then in their folders, then in every --path, and takes ietf-yang-types, ietf-inet-types and
other common modules from gatehouse itself if they are missing. Reads YANG and YIN (RFC 7950 section 13).

gatehouse yang openapi writes an OpenAPI document instead.

With --validate, validates documents of JSON (RFC 7951) or XML (RFC 7950) by all modules together, including
when, must, references and defaults, and prints one line for each violation.

Options:
  --path DIR         folder to search for imported modules, including its subfolders; may be repeated
  --feature M:F      enable only the named features F of module M; M: disables all features of M
  --deviation M      apply the deviations and augments of module M, from a --path; may be repeated
  --format FORMAT    schema (default), tree (RFC 8340), or jtox-like (one line for each data node);
                     with --validate the encoding of the documents, json or xml (default: as the file ends or begins)
  --content KIND     config (default), or all for state data as well
  --target TARGET    data (default), datastore (the data of all files in one document), rpc:NAME/input,
                     rpc:NAME/output, notification:NAME, structure:NAME, action:PATH/input, action:PATH/output, notification:PATH
  --validate FILE    validate this document instead of printing schemas; may be repeated
  --start PATH       data node to start from, such as /module:container/list
  --verbose          print the imported modules that come from gatehouse itself to standard error
  --max-nodes N      largest number of schema nodes after groupings are expanded (default: 1000000)
  --max-statements N largest number of statements (default: 4000000)
  --max-characters N largest number of characters of all modules (default: 67108864)
  --timeout-ms N     longest time of the compilation (default: 60000)
${LENIENT_HELP}
  --dialect LIBRARY  plain (default) for validators and the forms of gatehouse, rjsf for
                     react-jsonschema-form, jsonforms for JSON Forms
  --draft DRAFT      2020-12 (default of plain), or 07 (default of rjsf and jsonforms)

Exit codes: 0 compiled and valid, 1 faults or violations.`,
  commands: [yangOpenApi],
  async run(args, io) {
    const { values, positionals: files } = parsePositionals(args, OPTIONS);
    if (files.length === 0) throw new UsageError('name at least one file');
    const choices = {
      features: featuresOf(values.feature),
      deviations: values.deviation,
      dialect: choiceOf('dialect', values.dialect, DIALECTS),
      ...(values.draft !== undefined && { draft: choiceOf('draft', values.draft, ['2020-12', '07']) }),
      content: choiceOf('content', values.content, ['config', 'all']),
      target: values.target,
      lenient: values.lenient,
      limits: limitsOf(values),
      ...(values.start !== undefined && { path: values.start }),
    };
    // Before the texts are read, which would enlarge the heap for new values.
    const now = tuneV8();
    const sources = files.map(readSource);
    const options: CompileOptions = { library: libraryOf(files, values.path), ...choices, now };
    if (values.validate.length > 0) {
      const encoding = values.format && choiceOf('format', values.format, ['json', 'xml']);
      return validateFiles(
        sources,
        { ...options, documents: values.validate, ...(encoding && { encoding }) },
        io,
      );
    }
    const format = choiceOf('format', values.format ?? 'schema', ['schema', 'tree', 'jtox-like']);
    const output = { io, format, isVerbose: values.verbose };
    return format === 'schema' ? printSchemas(sources, options, output) : print(sources, options, output);
  },
};

const OPTIONS = {
  path: { type: 'string', multiple: true, default: [] as string[] },
  feature: { type: 'string', multiple: true, default: [] as string[] },
  deviation: { type: 'string', multiple: true, default: [] as string[] },
  format: { type: 'string' },
  content: { type: 'string', default: 'config' },
  target: { type: 'string', default: 'data' },
  validate: { type: 'string', multiple: true, default: [] as string[] },
  start: { type: 'string' },
  dialect: { type: 'string', default: 'plain' },
  draft: { type: 'string' },
  lenient: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  ...LIMIT_OPTIONS,
} as const;

interface Output {
  readonly io: CommandIo;
  readonly format: 'schema' | 'tree' | 'jtox-like';
  readonly isVerbose: boolean;
}

async function printSchemas(
  sources: readonly SourceText[],
  options: CompileOptions,
  output: Output,
): Promise<number> {
  const { io } = output;
  const opened = openDocuments(sources, options);
  if ('faults' in opened) return reportFaults(opened.faults, io);
  const { count, documents, bundled } = opened.value;
  reportBundled(bundled, output);
  if (count !== 1) await printJsonList(documents, io);
  else for (const document of documents) await printJson(document, io);
  return EXIT.ok;
}

function print(sources: readonly SourceText[], options: CompileOptions, output: Output): number {
  const { io, format } = output;
  const opened = openModules(sources, options);
  if ('faults' in opened) return reportFaults(opened.faults, io);
  reportBundled(bundledIn(opened.value.all), output);
  for (const module of opened.value.given) {
    const root = opened.value.trees.rootOf(module);
    io.out(format === 'tree' ? printTree(root) : printPaths(root));
  }
  return EXIT.ok;
}

/** Returns the modules in the folders of the files, and then those in the paths, as other compilers search them. */
function libraryOf(files: readonly string[], paths: readonly string[]): ModuleRegistry {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  return firstOf(directoryLibrary(folders), directoryLibrary(paths));
}

function reportBundled(bundled: readonly string[], { io, isVerbose }: Output): void {
  if (isVerbose && bundled.length > 0) io.err(`modules of gatehouse itself: ${bundled.join(', ')}\n`);
}

/** Major version of V8 that removed the flag `--interrupt-budget`: that of Node.js 22. */
const WITHOUT_INTERRUPT_BUDGET = 12;

/** Size of the heap above which garbage is collected early, in bytes. Only the models of whole devices exceed it. */
const LARGE_HEAP_BYTES = 60_000_000;

/**
 * Sets V8 for a compilation of YANG in this process, and returns the clock of the compilation, in milliseconds. V8 optimizes fewer
 * functions, and inlines less in them: a third of a compilation would go into functions that end soon after. The compiler reads the
 * clock at intervals, and each time the heap is measured: once it is large, V8 collects garbage when the heap has grown by
 * about a sixth, where it would wait until the heap has doubled (docs/decisions/0060-readable-before-fast.md).
 */
function tuneV8(): () => number {
  // V8 prints an error for an unknown flag. Later releases optimize in a cheaper tier first, and need no larger budget.
  if (Number.parseInt(process.versions.v8, 10) < WITHOUT_INTERRUPT_BUDGET)
    setFlagsFromString('--interrupt-budget=400000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
  let isLarge = false;
  return () => {
    // `process.memoryUsage` would also read a file of the operating system.
    if (!isLarge && getHeapStatistics().used_heap_size > LARGE_HEAP_BYTES) {
      isLarge = true;
      setFlagsFromString('--heap-growing-percent=18');
    }
    return performance.now();
  };
}
