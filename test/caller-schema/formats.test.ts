import assert from 'node:assert/strict';
import { DURATION, isDate, isDateTime, isTime } from '../../src/caller-schema/time-format.js';
import { isIri, isIriReference, isUri, isUriReference } from '../../src/caller-schema/uri-format.js';

type Rule = (text: string) => boolean;

const RULES: Readonly<
  Record<string, readonly [rule: Rule, good: readonly string[], bad: readonly string[]]>
> = {
  uri: [
    isUri,
    [
      'http://u:p@h.example:80/a/b;c?d#e',
      'urn:a:b',
      'mailto:a@b',
      'http://[::1]/',
      'file:///x',
      'a:',
      'http://h?%20',
    ],
    [
      '//h/x',
      'a',
      '1a:b',
      'http://[::1',
      'http://h:x/',
      'http://a b',
      'http://a@b@c/',
      'x:[',
      'x:%2',
      'x:#a#b',
      '',
      'x:\n',
    ],
  ],
  'uri-reference': [
    isUriReference,
    ['', '#a', '?a', '//h/x', './a:b', '/a:b', '..'],
    ['a:b:%', '1:b', '\\', 'a"b', '[a]'],
  ],
  iri: [isIri, ['http://é.example/ü?😀', 'a:é'], ['é', 'http://[::1', 'http://a\u0080']],
  'iri-reference': [isIriReference, ['é', '/ü#é'], ['é<', 'a b']],
  date: [
    isDate,
    ['2024-02-29', '0000-01-01', '2000-02-29'],
    ['2023-02-29', '1900-02-29', '2024-13-01', '2024-1-1', ''],
  ],
  time: [
    isTime,
    ['23:59:60Z', '00:00:00.5z', '15:59:60-08:00', '01:29:60+01:30'],
    ['24:00:00Z', '12:00:60Z', '12:00:00', '12:00:00+24:00', '12:00:00+1', '12:60:00Z'],
  ],
  'date-time': [
    isDateTime,
    ['2024-01-31t12:00:00.999999999999999z'],
    ['2024-01-31 12:00:00Z', '2024-01-32T12:00:00Z'],
  ],
  duration: [
    (text) => DURATION.test(text),
    ['P1Y2M3D', 'PT1H2M', 'P4W', 'P1DT1S'],
    ['P', 'PT', 'P1Y1D', 'PT1H1S', 'P1W1D'],
  ],
};

describe('formats', () => {
  for (const [name, [rule, good, bad]] of Object.entries(RULES))
    it(`${name} is judged as its RFC says`, () => {
      assert.deepEqual(good.filter((text) => !rule(text)), []); // prettier-ignore
      assert.deepEqual(bad.filter(rule), []);
    });
});
