import { formatYangFault, type YangFault } from '../diagnostic.js';
import type { LinkedModules } from '../link.js';
import { mainUnit, topStatements, type YangModule } from '../modules/yang-module.js';
import { isOperation, type SchemaNode } from '../tree/schema-node.js';
import type { Content } from './annotations.js';
import type { YangWarning } from './warnings.js';

/** Document whose warnings about texts are wanted. */
interface WarnedDocument {
  /** Modules of the document. */
  readonly modules: readonly YangModule[];
  /** True to return also the warnings about texts that belong to no given module. */
  readonly hasOthers: boolean;
  /** Content of a document with the data of one module, to say why it is empty. */
  readonly content?: Content | undefined;
}

/** Returns the warnings about the texts of a document's modules, and about a document without data. */
export function moduleWarnings(
  linked: LinkedModules,
  { modules, hasOthers, content }: WarnedDocument,
): readonly YangWarning[] {
  return [
    ...modules.flatMap(revisionWarnings),
    ...textWarnings(linked, hasOthers ? [...modules, undefined] : modules),
    ...(content
      ? modules.flatMap((module) => emptyWarnings(module, linked.trees.rootOf(module), content))
      : []),
  ];
}

/**
 * Returns the warnings about the texts of some given modules: tolerated faults, and violations that do not change the data.
 * Undefined means all texts that belong to no given module.
 */
function textWarnings(
  { given, tolerated, warnings }: TextFindings,
  modules: readonly (YangModule | undefined)[],
): readonly YangWarning[] {
  const isWanted = ({ file }: YangFault): boolean =>
    modules.includes(given.find(({ units }) => units.some(({ source }) => source.file === file)));
  return [
    ...tolerated.filter(isWanted).map((fault) => `tolerated: ${formatYangFault(fault)}`),
    ...warnings.filter(isWanted).map(formatYangFault),
  ].map((message) => ({ path: '/', message }));
}

/** Modules that were given, and what was found in all texts. */
type TextFindings = Pick<LinkedModules, 'given' | 'tolerated' | 'warnings'>;

/** Returns why a document of a module with data definitions is empty; no warnings otherwise. */
function emptyWarnings(module: YangModule, root: SchemaNode, content: Content): readonly YangWarning[] {
  const data = root.children.filter((node) => !isOperation(node));
  if (data.some(({ config }) => config || content === 'all')) return [];
  if (data.length > 0)
    return [{ path: '/', message: 'all data of the module is state; convert with the content "all"' }];
  const changed = new Set(
    ['augment', 'deviation'].flatMap((keyword) =>
      topStatements(module, keyword).map((statement) => {
        const prefix = /^\s*\/([^/:]+):/.exec(statement.argument)?.[1] ?? '';
        return mainUnit(module).prefixes.get(prefix)?.name ?? prefix;
      }),
    ),
  );
  changed.delete(module.name);
  if (changed.size === 0) return [];
  const names = [...changed].map((name) => `"${name}"`).join(', ');
  const message = `the module has no data of its own, and augments or deviates ${names}; give also the text of ${changed.size === 1 ? 'that module' : 'those modules'}, whose document then has the data, or use the target "datastore"`;
  return [{ path: '/', message }];
}

/** Returns a warning for each revision date that a module has more than once. */
function revisionWarnings(module: YangModule): readonly YangWarning[] {
  const dates = mainUnit(module)
    .root.children.filter(({ keyword }) => keyword === 'revision')
    .map(({ argument }) => argument);
  const duplicates = new Set(dates.filter((date, at) => dates.indexOf(date) < at));
  return [...duplicates].map((date) => ({ path: '/', message: `the revision ${date} is written twice` }));
}
