import { formatYangFault, type YangFault } from '../diagnostic.js';
import type { LinkedModules } from '../link.js';
import { mainUnit, type YangModule } from '../modules/yang-module.js';
import { isOperation } from '../tree/schema-node.js';
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
    ...(content ? modules.flatMap((module) => emptyWarnings(module, linked, content)) : []),
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
function emptyWarnings(
  module: YangModule,
  { trees, given }: LinkedModules,
  content: Content,
): readonly YangWarning[] {
  const data = trees.rootOf(module).children.filter((node) => !isOperation(node));
  if (data.some(({ config }) => config || content === 'all')) return [];
  const messages = data.length > 0 ? ['all data of the module is state; convert with the content "all"'] : [];
  const changed = changedModules(module);
  if (changed.length > 0 && data.length === 0) messages.push(changesMessage(changed, given));
  return messages.map((message) => ({ path: '/', message }));
}

/** Returns the names of the other modules that a module augments or deviates. */
function changedModules(module: YangModule): readonly string[] {
  const changed = module.units.flatMap(({ root, prefixes }) =>
    root.children
      .filter(({ keyword }) => keyword === 'augment' || keyword === 'deviation')
      .map(({ argument }) => {
        const prefix = /^\s*\/([^/:]+):/.exec(argument)?.[1] ?? '';
        return prefixes.get(prefix)?.name ?? prefix;
      }),
  );
  return [...new Set(changed)].filter((name) => name !== module.name);
}

/** Returns where the data of a module is that only changes the modules with these names. */
function changesMessage(changed: readonly string[], given: readonly YangModule[]): string {
  const isOne = changed.length === 1;
  const message = `the module has no data of its own, and augments or deviates ${quoted(changed)}`;
  const missing = changed.filter((name) => !given.some((one) => one.name === name));
  if (missing.length === 0) return `${message}, whose ${isOne ? 'document has' : 'documents have'} the data`;
  const all = isOne ? 'that module' : 'those modules';
  const texts = missing.length === changed.length ? all : quoted(missing);
  return `${message}; give also the text of ${texts}, whose document then has the data, or use the target "datastore"`;
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Returns a warning for each revision date that a module has more than once. */
function revisionWarnings(module: YangModule): readonly YangWarning[] {
  const dates = mainUnit(module)
    .root.children.filter(({ keyword }) => keyword === 'revision')
    .map(({ argument }) => argument);
  const duplicates = new Set(dates.filter((date, at) => dates.indexOf(date) < at));
  return [...duplicates].map((date) => ({ path: '/', message: `the revision ${date} is written twice` }));
}
