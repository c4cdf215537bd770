import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkYangDocument } from '../../src/core/yang-document.js';
import { type CompileOptions, openModules, writeModule } from '../../src/yang/compile.js';
import type { Content } from '../../src/yang/json-schema/annotations.js';
import type { Schema } from '../../src/yang/json-schema/definitions.js';
import type { LinkedModules } from '../../src/yang/link.js';
import { topStatements, type Unit, type YangModule } from '../../src/yang/modules/yang-module.js';
import type { SourceText } from '../../src/yang/syntax/statement.js';
import { isInsideOperation, isOperation, type SchemaNode } from '../../src/yang/tree/schema-node.js';
import { Random } from '../../test/support/random.js';
import { Generator, type Json } from '../../test/support/yang-documents/generate.js';
import { mutate } from '../../test/support/yang-documents/mutate.js';
import { Values } from '../../test/support/yang-documents/values.js';
import { printWithoutConditions } from './print-yang.js';
import { askYanglint } from './yanglint.js';

/** Both judgments of one document. */
export interface CheckedModule {
  readonly module: string;
  readonly what: string;
  readonly document: Json;
  /** Fault that our schema finds. */
  readonly ours: string | undefined;
  /** Fault that yanglint finds. */
  readonly theirs: string | undefined;
}

export interface CompareRequest {
  readonly source: SourceText;
  readonly options: CompileOptions;
  readonly content: Content;
  /** Documents for each module of the set that holds data. */
  readonly documents: number;
  readonly seed: number;
  /** Replaces a text for our compiler only, to simulate a misreading. */
  readonly misread?: (text: string) => string;
}

/**
 * Compiles one module with its imports and without its conditions, and validates documents with both
 * compilers.
 */
export async function compare(
  request: CompareRequest,
): Promise<readonly CheckedModule[] | { readonly skipped: string }> {
  const opened = openModules([request.source], withCompanions(request));
  if ('faults' in opened) return { skipped: 'we refuse the module' };
  const [main] = opened.value.given;
  const given = opened.value.all.filter(
    ({ name }) => name === main?.name || Object.values(COMPANIONS).includes(name),
  );
  if (!main) return { skipped: 'a submodule' };
  const texts = plainTexts(opened.value, main);
  const { misread = (text: string) => text } = request;
  const linked = openModules(texts.map(({ file, text }) => ({ file, text: misread(text) })));
  if ('faults' in linked) return { skipped: `without conditions: ${linked.faults[0]?.message ?? ''}` };
  const checked: CheckedModule[] = [];
  for (const module of modulesToTry(linked.value, main.name)) {
    const made = makeDocuments(module, linked.value, request);
    if (made.length === 0) continue;
    const verdicts = await askYanglint({
      modules: texts.map(({ file, text }) => [file, text] as const),
      given: given.flatMap(({ units }) => (units[0] ? [fileOf(units[0])] : [])),
      documents: made.map(({ document }) => document),
      type: request.content === 'config' ? 'config' : 'data',
      presentOnly: true,
    });
    if ('refused' in verdicts) return { skipped: `yanglint: ${verdicts.refused}` };
    made.forEach((one, at) => checked.push({ ...one, module: module.name, theirs: verdicts[at] }));
  }
  return checked;
}

/** Modules that no module imports and that define values for others; added where they fit. */
const COMPANIONS: Readonly<Record<string, string>> = {
  'ietf-interfaces': 'iana-if-type',
  'ietf-hardware': 'iana-hardware',
};

export function withCompanions({
  source,
  options,
}: Pick<CompareRequest, 'source' | 'options'>): CompileOptions {
  const deviations = Object.entries(COMPANIONS).flatMap(([name, companion]) =>
    new RegExp(`\\bimport\\s+"?${name}\\b|^\\s*module\\s+${name}\\s`, 'm').test(source.text)
      ? [companion]
      : [],
  );
  return { ...options, deviations };
}

/** Returns the main module first, then all its dependencies, under the names that yanglint expects. */
function plainTexts({ all }: LinkedModules, main: YangModule): readonly SourceText[] {
  const units = [main, ...all.filter((module) => module !== main)].flatMap((module) => module.units);
  return units.map((unit) => ({ file: fileOf(unit), text: printWithoutConditions(unit.root) }));
}

export function fileOf({ name, revision }: Unit): string {
  return `${name}${revision === undefined ? '' : `@${revision}`}.yang`;
}

/** The main module, and the modules whose trees it augments. */
function modulesToTry({ all }: LinkedModules, main: string): readonly YangModule[] {
  const module = all.find(({ name }) => name === main);
  if (!module) return [];
  const augmented = topStatements(module, 'augment').flatMap(({ argument, source }) => {
    const prefix = /^\/([^:/]+):/.exec(argument)?.[1] ?? '';
    return module.units.find((unit) => unit.source === source)?.prefixes.get(prefix) ?? [];
  });
  return [...new Set([module, ...augmented])];
}

type Made = Omit<CheckedModule, 'module' | 'theirs'>;

function makeDocuments(module: YangModule, linked: LinkedModules, request: CompareRequest): readonly Made[] {
  const { content, documents } = request;
  const random = new Random(request.seed);
  const included = (node: SchemaNode) =>
    !isOperation(node) && (content === 'all' || node.config || isInsideOperation(node));
  const root = linked.trees.rootOf(module);
  if (!root.children.some(included)) return [];
  const written = writeModule(module, linked, { content });
  if ('refused' in written) return [];
  const judge = judgeBy(written.schema);
  const generator = new Generator(random, new Values(random), included);
  const tools = { random, make: (node: SchemaNode) => generator.value(node) };
  const made: Made[] = [];
  for (let at = 0; made.length < documents && at < documents; at += 1) {
    const fill = { chance: at % 4 === 0 ? 0.15 : at % 4 === 1 ? 0.9 : 0.5, most: 150 };
    const generated = generator.document(root, fill);
    if (generated.spots.length === 0) continue;
    const { document } = generated;
    made.push({ document, what: 'valid', ours: judge(document) });
    for (let copies = 0; copies < 3; copies += 1) {
      const mutant = mutate(generated, tools);
      // An empty document would not be held against the module at all.
      if (mutant && Object.keys(mutant.document).length > 0)
        made.push({ ...mutant, ours: judge(mutant.document) });
    }
  }
  return made.slice(0, documents);
}

/** Combines JSON Schema and its additional rules into one judgment. */
function judgeBy(schema: Schema): (document: Json) => string | undefined {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  return (document) => {
    if (!validate(document)) {
      const [error] = validate.errors ?? [];
      return `${error?.instancePath ?? ''} ${error?.message ?? ''} ${JSON.stringify(error?.params)}`;
    }
    const [violation] = checkYangDocument(schema, document);
    return violation && `${violation.pointer} ${violation.message}`;
  };
}
