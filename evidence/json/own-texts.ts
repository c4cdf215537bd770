/** Expected result of a text: `y` is accepted, `n` is refused. */
type Verdict = 'y' | 'n';

/** Texts for machines without a copy of JSONTestSuite: cases on which parsers are known to disagree. */
export const OWN_TEXTS: readonly (readonly [verdict: Verdict, text: string | Buffer])[] = [
  ...['{}', '[]', 'null', ' true ', '"x"', '0', '-0.0', '1e5', '{"a":{"b":[1,2]}}', '["\\ud834\\udd1e"]'].map(
    taken,
  ),
  ...[
    '["\\u0000"]',
    '\ufeff{}',
    '["\u2028"]',
    '{"":0}',
    '[1.5E+3]',
    `${'['.repeat(64)}${']'.repeat(64)}`,
  ].map(taken),
  ...['', ' ', '{', '[', '[1,]', '{"a":1,}', '{a:1}', "{'a':1}", '[01]', '[+1]', '[.5]', '[1.]', '[1e]'].map(
    refused,
  ),
  ...[
    '[NaN]',
    '[Infinity]',
    '[0x1]',
    '[1 2]',
    '// c\n1',
    '/**/1',
    '"\t"',
    '"\\x41"',
    '"\\u12"',
    '"',
    'nul',
  ].map(refused),
  ...[
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '[1e400]',
    '[-1e400]',
    '[1e-400]',
    '[12345678901234567890]',
  ].map(refused),
  ...[
    '["\\ud800"]',
    '["\\udc00\\ud800"]',
    '{} {}',
    '[1]x',
    '\u00a0[]',
    '\v[]',
    `${'['.repeat(65)}${']'.repeat(65)}`,
  ].map(refused),
  ...['22ff22', '22c0af22', '22eda08022', '22f490808022', '225b00', 'fffe5b005d00', '22e222'].map(
    refusedBytes,
  ),
];

function taken(text: string): readonly [Verdict, string] {
  return ['y', text];
}

function refused(text: string): readonly [Verdict, string] {
  return ['n', text];
}

function refusedBytes(hex: string): readonly [Verdict, Buffer] {
  return ['n', Buffer.from(hex, 'hex')];
}
