import { dirname } from 'node:path';
import { openModules } from '../yang/compile.js';
import { directoryLibrary } from '../yang/modules/library.js';
import { openApiOf } from '../yang/openapi/openapi-document.js';
import { EXIT, parsePositionals, type Subcommand, UsageError } from './command.js';
import { printJson } from './print-json.js';
import { choiceOf, featuresOf, LENIENT_HELP, readSource, reportFaults, yangFilesOf } from './yang-input.js';
import { LIMIT_OPTIONS, limitsOf } from './yang-limits.js';

/** Writes an OpenAPI document of the RESTCONF API of YANG modules. */
export const yangOpenApi: Subcommand = {
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
    const { values, positionals } = parsePositionals(args, OPTIONS);
    if (positionals.length === 0) throw new UsageError('name at least one file or folder');
    const format = choiceOf('format', values.format, ['json', 'yaml']);
    const depth = depthOf(values.depth);
    const files = yangFilesOf(positionals);
    const opened = openModules(files.map(readSource), {
      library: directoryLibrary([...values.path, ...new Set(files.map((file) => dirname(file)))]),
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
      const { writeYaml } = await import('../config/yaml.js');
      io.out(writeYaml(document));
    }
    return EXIT.ok;
  },
};

const OPTIONS = {
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
