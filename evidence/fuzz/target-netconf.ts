import assert from 'node:assert/strict';
import { FrameDecoder, InvalidFrame } from '../../plugins/netconf/framing.js';
import { InvalidXml, parseXml } from '../../src/yang/encoding/parse-xml.js';
import { writeXml, type XmlOutput } from '../../src/yang/encoding/write-xml.js';
import type { XmlElement } from '../../src/yang/encoding/xml-element.js';

const LIMITS = { bytes: 100_000, depth: 50, memory: 500_000 };

/** Asserts that bytes are messages of the same content, however they are cut, or no frames. */
export function readAsFrames(input: Buffer): void {
  const whole = messagesOf([input]);
  const pieces = messagesOf(Array.from(input, (byte) => Buffer.from([byte])));
  assert.deepEqual(pieces, whole);
}

/** Returns the messages, the first in end-of-message framing, and whether the rest is refused. */
function messagesOf(pieces: readonly Buffer[]): readonly string[] {
  const decoder = new FrameDecoder(LIMITS.bytes);
  const messages: string[] = [];
  try {
    for (const piece of pieces) {
      decoder.push(piece);
      for (let next = decoder.next(); next; next = decoder.next()) {
        messages.push(next.toString('latin1'));
        decoder.useChunks();
      }
    }
  } catch (error) {
    assert.ok(error instanceof InvalidFrame, String(error));
    messages.push('refused');
  }
  return messages;
}

/** Asserts that a document is refused, or is written so that it reads the same again. */
export function readAsXml(input: Buffer): void {
  let root: XmlElement;
  try {
    root = parseXml(input, LIMITS);
  } catch (error) {
    assert.ok(error instanceof InvalidXml, String(error));
    return;
  }
  const again = parseXml(Buffer.from(writeXml(outputOf(root))), {
    ...LIMITS,
    bytes: 10_000_000,
    memory: 100_000_000,
  });
  assert.deepEqual(outputOf(again), outputOf(root));
}

/** Returns an element without its attributes, and without the text around child elements. */
function outputOf({ namespace, name, children, text }: XmlElement): XmlOutput {
  return { namespace, name, content: children.length > 0 ? children.map(outputOf) : text };
}
