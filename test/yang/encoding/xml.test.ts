import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InvalidXml, parseXml } from '../../../src/yang/encoding/parse-xml.js';
import { writeXml, type XmlOutput } from '../../../src/yang/encoding/write-xml.js';
import {
  attributeOf,
  childElement,
  childText,
  type XmlElement,
} from '../../../src/yang/encoding/xml-element.js';

const LIMITS = { bytes: 10_000, depth: 20, memory: 20_000 };

function parse(text: string, limits = LIMITS): XmlElement {
  return parseXml(Buffer.from(text), limits);
}

function faultOf(text: string | Uint8Array, limits = LIMITS): string {
  try {
    parseXml(typeof text === 'string' ? Buffer.from(text) : text, limits);
  } catch (error) {
    assert.ok(error instanceof InvalidXml, String(error));
    return error.message;
  }
  return 'accepted';
}

describe('parseXml', () => {
  it('resolves default namespaces and prefixes', () => {
    const root = parse('<a xmlns="urn:a" xmlns:b="urn:b"><b:c b:d="1" e="2"/><f xmlns=""/></a>');
    assert.deepEqual([root.namespace, root.name], ['urn:a', 'a']);
    const [c, f] = root.children;
    assert.ok(c && f);
    assert.deepEqual([c.namespace, c.name], ['urn:b', 'c']);
    assert.equal(attributeOf(c, 'd', 'urn:b'), '1');
    assert.equal(attributeOf(c, 'e'), '2');
    assert.equal(attributeOf(c, 'd'), undefined);
    assert.equal(f.namespace, '');
    const found = ['', 'b', 'c'].map((prefix) => c.prefixes.get(prefix));
    assert.deepEqual(found, ['urn:a', 'urn:b', undefined]);
    assert.equal(f.prefixes.get(''), '');
  });

  it('joins texts and CDATA sections, and leaves out comments', () => {
    const root = parse('<?xml version="1.0"?><a>1 &lt; <!-- no --><![CDATA[2 & 3]]>&#x41;</a>');
    assert.equal(root.text, '1 < 2 & 3A');
  });

  it('finds children', () => {
    const root = parse('<a xmlns="urn:a"><b> x </b><b xmlns="urn:b">y</b></a>');
    assert.equal(childText(root, 'b'), 'x');
    assert.equal(childElement(root, 'b', 'urn:b')?.text, 'y');
    assert.equal(childText(root, 'c'), '');
  });

  it('refuses document types and entities', () => {
    assert.match(faultOf('<!DOCTYPE a><a/>'), /document type/);
    assert.match(faultOf('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), /document type/);
    assert.match(faultOf('<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'), /document type/);
    assert.match(faultOf('<a>&unknown;</a>'), /not well-formed/);
  });

  it('refuses what is not well-formed', () => {
    const texts = ['', ' ', 'text', '<a>', '<a></b>', '<a/><b/>', '<a b="1" b="2"/>', '<p:a/>'];
    for (const text of [...texts, '<a>\u0001</a>', '<a>]]></a>'])
      assert.match(faultOf(text), /not well-formed|has no element/, JSON.stringify(text));
    assert.match(faultOf(Buffer.from([0x3c, 0x61, 0xff])), /UTF-8/);
  });

  it('refuses what exceeds a limit', () => {
    assert.match(faultOf(`<a>${' '.repeat(LIMITS.bytes)}</a>`), /larger than 10000 bytes/);
    assert.match(faultOf('<a>'.repeat(21) + '</a>'.repeat(21)), /deeper than 20/);
    assert.equal(faultOf('<a>'.repeat(20) + '</a>'.repeat(20)), 'accepted');
    assert.match(faultOf(`<a>${'<b/>'.repeat(200)}</a>`), /more than 20000 bytes of memory/);
  });

  it('never throws another error, whatever the bytes are', () => {
    const marks = '< > / a xmlns : =" " & ; # <!-- --> <![CDATA[ ]]> <? ?> \u0000 é 😀'.split(' ');
    const pieces = fc.constantFrom(...marks, ' ');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        faultOf(parts.join(''));
      }),
      { numRuns: 2000, seed: 5 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        faultOf(bytes);
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});

describe('writeXml', () => {
  it('declares a namespace where it changes', () => {
    const text = writeXml({
      namespace: 'urn:a',
      name: 'a',
      content: [
        { namespace: 'urn:a', name: 'b', content: '1 < 2 & "3"' },
        {
          namespace: 'urn:c',
          name: 'c',
          prefixes: { m: 'urn:m' },
          attributes: { 'm:n': '\n' },
          content: 'm:x',
        },
        { namespace: 'urn:a', name: 'd', content: '' },
      ],
    });
    assert.equal(
      text,
      '<a xmlns="urn:a"><b>1 &lt; 2 &amp; &quot;3&quot;</b><c xmlns="urn:c" xmlns:m="urn:m" m:n="&#10;">m:x</c><d/></a>',
    );
  });

  it('refuses characters that XML cannot contain', () => {
    for (const text of ['\u0000', '\u001b', '\ud800', '\uffff'])
      assert.throws(() => writeXml({ namespace: '', name: 'a', content: text }), RangeError);
  });

  it('writes what the parser reads back', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/).filter((word) => !word.startsWith('xml'));
    const uri = fc.constantFrom('urn:a', 'urn:b', 'urn:c');
    const text = fc
      .string({ unit: 'binary', maxLength: 20 })
      .filter((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(value));
    const { tree } = fc.letrec<{ tree: XmlOutput }>((tie) => ({
      tree: fc.record({
        namespace: uri,
        name,
        content: fc.oneof({ depthSize: 'small' }, text, fc.array(tie('tree'), { maxLength: 4 })),
      }),
    }));
    const plain = ({ namespace, name: local, content = [] }: XmlOutput): unknown =>
      typeof content === 'string'
        ? [namespace, local, content, []]
        : [namespace, local, '', content.map(plain)];
    const seen = (element: XmlElement): unknown => [
      element.namespace,
      element.name,
      element.text,
      element.children.map(seen),
    ];
    fc.assert(
      fc.property(tree, (element) => {
        const found = seen(parse(writeXml(element), { bytes: 1e7, depth: 100, memory: 1e9 }));
        assert.deepEqual(found, plain(element));
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
