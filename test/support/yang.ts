import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { checkYangDocument } from '../../src/core/yang-document.js';
import { compilePattern } from '../../src/json-schema/engine/ecma-pattern.js';
import {
  type CompiledModule,
  type CompileOptions,
  compileYang,
  openModules,
} from '../../src/yang/compile.js';
import {
  type DocumentValidatorOptions,
  openDocumentValidator,
} from '../../src/yang/document/validate-document.js';
import type { Schema } from '../../src/yang/json-schema/definitions.js';

/** The text of a YANG 1.1 module `name` with prefix `name`. */
export function yang11(name: string, body: string): string {
  return `module ${name} { yang-version 1.1; namespace "urn:${name}"; prefix ${name}; ${body} }`;
}

/** The text of a YANG 1.0 module `name` with prefix `name`. */
export function yang10(name: string, body: string): string {
  return `module ${name} { namespace "urn:${name}"; prefix ${name}; ${body} }`;
}

/** The text of the YANG 1.1 module `m` with this body. */
export const asModule = (body: string): string => yang11('m', body);

/** Compiles texts that must compile. Files are called `0.yang`, `1.yang` and so on. */
export function compileTexts(
  texts: readonly string[],
  options: CompileOptions = {},
): readonly CompiledModule[] {
  const compiled = compileYang(sourcesOf(texts), options);
  if ('faults' in compiled) assert.fail(compiled.faults.map(({ message }) => message).join('\n'));
  return compiled.modules;
}

/** The first of the compiled modules. */
export function compileText(text: string, options: CompileOptions = {}): CompiledModule {
  const [module] = compileTexts([text], options);
  assert.ok(module);
  return module;
}

/** Compiles the YANG 1.1 module `m` with this body. */
export const compileBody = (body: string, options?: CompileOptions): CompiledModule =>
  compileText(asModule(body), options);

/** Returns the faults of texts as `file:line:column message`. */
export function faultsOf(texts: readonly string[], options: CompileOptions = {}): readonly string[] {
  const compiled = compileYang(sourcesOf(texts), options);
  if (!('faults' in compiled)) return [];
  return compiled.faults.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

/** Asserts that texts are refused, with a fault that matches. */
export function assertRefused(texts: readonly string[], expected: RegExp): void {
  const faults = faultsOf(texts);
  assert.ok(faults.length > 0, 'the texts were accepted');
  assert.match(faults.join('\n'), expected);
}

/** Asserts that the YANG 1.1 module `m` with this body is refused, with a fault that matches. */
export function assertBodyRefused(body: string, expected: RegExp): void {
  assertRefused([asModule(body)], expected);
}

/** One for all schemas, because a new one compiles the metaschema again. */
const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** Creates a validator that returns true if the schema and its additional rules accept a document. */
export function judgeOf({ schema }: { readonly schema: Schema }): (document: unknown) => boolean {
  const validate = ajv.compile(schema);
  // Another schema may have the same $id.
  ajv.removeSchema();
  return (document) => validate(document) && checkYangDocument(schema, document).length === 0;
}

/** Asserts which data a module accepts and which data it rejects. */
export function assertData(
  module: { readonly schema: Schema },
  accepted: readonly unknown[],
  refused: readonly unknown[] = [],
): void {
  const judge = judgeOf(module);
  for (const document of accepted)
    assert.ok(judge(document), `should be accepted: ${JSON.stringify(document)}`);
  for (const document of refused)
    assert.ok(!judge(document), `should be refused: ${JSON.stringify(document)}`);
}

/** Returns texts as sources with the files `0.yang`, `1.yang` and so on. */
export function sourcesOf(texts: readonly string[]) {
  return texts.map((text, at) => ({ file: `${at}.yang`, text }));
}

/** Returns the violations of documents of YANG texts as `pointer message`; all texts are given modules. */
export function documentCheckOf(
  texts: readonly string[],
  options: Partial<DocumentValidatorOptions> & CompileOptions = {},
): (document: unknown) => readonly string[] {
  const linked = openModules(sourcesOf(texts), options);
  if ('faults' in linked) assert.fail(linked.faults.map(({ message }) => message).join('\n'));
  const opened = openDocumentValidator(linked.value, { compilePattern, ...options });
  if ('refused' in opened) assert.fail(opened.refused);
  return (document) =>
    opened.validate(document).violations.map(({ pointer, message }) => `${pointer} ${message}`);
}

/** Returns the violations of documents of the YANG 1.1 module `a` with this body. */
export const bodyCheckOf = (
  body: string,
  options?: Partial<DocumentValidatorOptions> & CompileOptions,
): ((document: unknown) => readonly string[]) => documentCheckOf([yang11('a', body)], options);
