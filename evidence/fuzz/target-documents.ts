import assert from 'node:assert/strict';
import { readDocument } from '../../src/config/document.js';
import { formatReference, parseReference } from '../../src/secrets/reference.js';
import { compileYang } from '../../src/yang/compile.js';

/**
 * A text is literal, a fault that does not repeat it, or a reference that stays in its place and reads back.
 */
export function readAsReference(input: Buffer): void {
  const text = input.toString();
  const read = parseReference(text);
  if (read.kind === 'fault' && text.length > 40) assert.ok(!read.message.includes(text));
  if (read.kind !== 'reference') return;
  const { reference } = read;
  assert.ok(reference.segments.length > 0);
  for (const segment of reference.segments) {
    assert.ok(!['', '.', '..'].includes(segment));
    assert.ok(!/[/\\\p{Cc}]/u.test(segment), segment);
  }
  const again = parseReference(formatReference(reference));
  assert.deepEqual(again, { kind: 'reference', reference });
}

/** A file is a value, or faults with places that the file has. */
export function readAsConfig(input: Buffer): void {
  const text = input.toString();
  const document = readDocument({ file: 'a.yaml', text }, { NAME: 'x' });
  const lines = text.split('\n').length;
  for (const { line = 0 } of document.faults) assert.ok(line <= lines + 1, `${line} of ${lines}`);
  if (!document.sound) assert.ok(document.faults.length > 0);
  JSON.stringify(document.value);
}

const LIMITS = { depth: 50, nodes: 2_000, statements: 5_000 };

/** Asserts that any module is compiled or has faults. */
export function readAsYang(input: Buffer): void {
  compile(input.toString());
}

/** Asserts that an expression is accepted or reported as a fault of its module. */
export function readAsXPath(input: Buffer): void {
  const expression = input.toString().replace(/[\\"]/g, '\\$&');
  compile(`module m { yang-version 1.1; namespace urn:m; prefix m; identity i;
    leaf a { must "${expression}"; type string; } }`);
}

function compile(text: string): void {
  const compiled = compileYang([{ file: 'm.yang', text }], { limits: LIMITS });
  if ('faults' in compiled) assert.ok(compiled.faults.length > 0);
  else JSON.stringify(compiled.modules);
}
