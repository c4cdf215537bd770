import { compilePattern } from '../../src/json-schema/engine/ecma-pattern.js';
import { openModules } from '../../src/yang/compile.js';
import { type DocumentValidator, openDocumentValidator } from '../../src/yang/document/validate-document.js';
import type { LinkedModules } from '../../src/yang/link.js';
import { isInsideOperation, isOperation, SchemaNode } from '../../src/yang/tree/schema-node.js';
import { Random } from '../../test/support/random.js';
import { type Generated, Generator, type Json } from '../../test/support/yang-documents/generate.js';
import { mutate, type Tools } from '../../test/support/yang-documents/mutate.js';
import { Values } from '../../test/support/yang-documents/values.js';
import { type CheckedModule, type CompareRequest, fileOf, withCompanions } from './compare.js';
import { connectLeafrefs, repair } from './repair.js';
import { askYanglint } from './yanglint.js';

type Made = Omit<CheckedModule, 'module' | 'theirs'>;

/**
 * Compiles one module with its imports, and validates documents by all its rules with both validators. Half of the
 * documents are valid or break one rule by chance; the others are corrupted on purpose.
 */
export async function compareRules(
  request: CompareRequest,
): Promise<readonly CheckedModule[] | { readonly skipped: string }> {
  const opened = openModules([request.source], withCompanions(request));
  if ('faults' in opened) return { skipped: 'we refuse the module' };
  const [main] = opened.value.given;
  if (!main) return { skipped: 'a submodule' };
  const { all } = opened.value;
  const texts = all.flatMap(({ units }) =>
    units.map((unit) => ({ file: fileOf(unit), text: unit.source.text })),
  );
  const { misread = (text: string) => text } = request;
  const linked = openModules(texts.map(({ file, text }) => ({ file, text: misread(text) })));
  if ('faults' in linked) return { skipped: `with all imports: ${linked.faults[0]?.message ?? ''}` };
  const made = makeDocuments(linked.value, request);
  if (made.length === 0) return [];
  const verdicts = await askYanglint({
    modules: texts.map(({ file, text }) => [file, text] as const),
    given: all.flatMap(({ units }) => (units[0] ? [fileOf(units[0])] : [])),
    documents: made.map(({ document }) => document),
    type: request.content === 'config' ? 'config' : 'data',
    presentOnly: false,
  });
  if ('refused' in verdicts) return { skipped: `yanglint: ${verdicts.refused}` };
  return made.map((one, at) => ({ ...one, module: main.name, theirs: verdicts[at] }));
}

function makeDocuments(linked: LinkedModules, request: CompareRequest): readonly Made[] {
  const { content, documents } = request;
  const validator = openDocumentValidator(linked, { content, compilePattern: compile });
  if ('refused' in validator) return [];
  const random = new Random(request.seed);
  const included = (node: SchemaNode) =>
    !isOperation(node) && (content === 'all' || node.config || isInsideOperation(node));
  const roots = linked.trees.roots();
  const children = roots.flatMap((root) => root.children);
  const [root] = roots;
  if (!root || !children.some(included)) return [];
  const everything = new SchemaNode(root.definition, undefined);
  everything.children = children;
  const generator = new Generator(random, new Values(random), included);
  const tools = { random, make: (node: SchemaNode) => generator.value(node) };
  const made: Made[] = [];
  for (let at = 0; made.length < documents && at < documents; at += 1) {
    const fill = { chance: [0.15, 0.9, 0.5, 0.3][at % 4] ?? 0.5, most: 120 };
    const generated = generator.document(everything, fill);
    if (generated.spots.length === 0) continue;
    connectLeafrefs(generated, random);
    const variants = variantsOf(generated, validator, tools);
    made.push(...variants.map((one) => ({ ...one, ours: resultOf(validator, one.document) })));
  }
  return made.slice(0, documents);
}

/** Returns a valid document, documents that break one rule, and one that was corrupted, as far as they can be made. */
function variantsOf(
  generated: Generated,
  validator: DocumentValidator,
  tools: Tools,
): readonly Pick<Made, 'what' | 'document'>[] {
  const repaired = repair(generated.document, validator);
  const [first, second] = [mutate(generated, tools), mutate(generated, tools)];
  const fixed = first && repair(first.document, validator);
  return [
    ...(repaired ? [{ what: 'valid', document: repaired.document }] : []),
    ...(repaired?.before ? [{ what: `breaks ${repaired.rule}`, document: repaired.before }] : []),
    ...(first && fixed?.before
      ? [{ what: `${first.what}, breaks ${fixed.rule}`, document: fixed.before }]
      : []),
    ...(second ? [second] : []),
  ];
}

function resultOf(validator: DocumentValidator, document: Json): string | undefined {
  const [violation] = validator.validate(document).violations;
  return violation && `${violation.rule} ${violation.pointer} ${violation.message}`;
}

/** The engine of forms first; ECMAScript for what RE2 does not have. */
function compile(source: string) {
  try {
    return compilePattern(source);
  } catch {
    return new RegExp(source, 'u');
  }
}
