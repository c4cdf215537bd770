import assert from 'node:assert/strict';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import {
  chooseLanguage,
  dateFormat,
  locale,
  numberFormat,
  setLocale,
} from '../../../console/src/text/locale.js';
import { partsOf, setMessages, textOf } from '../../../console/src/text/text.js';
import { languages, messagesOf } from '../../support/console-texts.js';

/** Returns the placeholders and tags of a message, sorted; those of numbers are marked. */
function placeholdersOf(elements: readonly MessageFormatElement[]): readonly string[] {
  const names = elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type === TYPE.tag) return [element.value, ...placeholdersOf(element.children)];
    const name =
      element.type === TYPE.plural || element.type === TYPE.number
        ? `${element.value}, number`
        : element.value;
    const options = 'options' in element ? Object.values(element.options) : [];
    return [name, ...options.flatMap(({ value }) => placeholdersOf(value))];
  });
  return [...new Set(names)].sort();
}

describe('the texts of the pages', () => {
  it('are valid ICU messages, with the same keys and placeholders in all languages', () => {
    const english = messagesOf('en');
    const areas = Object.keys(english);
    assert.ok(areas.length > 20);
    for (const language of languages())
      for (const area of areas)
        for (const [key, text] of Object.entries(messagesOf(language)[area] ?? {})) {
          const original = english[area]?.[key];
          assert.ok(
            original !== undefined,
            `${language}/${area}.json has the key ${key}, which English lacks`,
          );
          assert.deepEqual(
            placeholdersOf(parse(text)),
            placeholdersOf(parse(original)),
            `placeholders of ${key} in ${language}/${area}.json`,
          );
        }
  });

  it('format numbers: the type check accepts no number for a placeholder without a format', () => {
    const text = textOf('problems');
    assert.equal(text('failedCalls', { rate: 1234.5 }), '1,234.5 failed calls per minute');
    assert.equal(text('failedCalls', { rate: 1 }), '1 failed call per minute');
    // @ts-expect-error: {cause} has no format.
    assert.equal(text('copied', { sentence: 'a', cause: 1234.5, since: 'b' }), 'a 1234.5 Since b.');
  });

  it('name operators and administrators alike in all languages', () => {
    const roles = [
      { en: /\boperators?\b/i, de: /Operator/, ja: /運用者/ },
      { en: /admin/i, de: /Administrator|admin/, ja: /管理者|admin/ },
    ];
    const keysWith = (language: string, word: RegExp): readonly string[] =>
      Object.entries(messagesOf(language))
        .flatMap(([area, texts]) =>
          Object.entries(texts).map(([key, text]) => ({ name: `${area}/${key}`, text })),
        )
        .filter(({ text }) => word.test(text))
        .map(({ name }) => name)
        .sort();
    for (const { en, de, ja } of roles) {
      const wanted = keysWith('en', en);
      assert.ok(wanted.length > 0);
      assert.deepEqual(keysWith('de', de), wanted, 'German');
      assert.deepEqual(keysWith('ja', ja), wanted, 'Japanese');
    }
  });

  it('fill in placeholders and plurals, and give tags to the caller', () => {
    setMessages({
      kit: { calls: '{count, plural, one {# call} other {# calls}}', see: 'See <link>this</link>.' },
    });
    const text = textOf('kit') as unknown as (key: string, values?: object) => string;
    assert.equal(text('calls', { count: 1 }), '1 call');
    assert.equal(text('calls', { count: 1234 }), '1,234 calls');
    const parts = partsOf('kit', 'see', { link: (children: readonly unknown[]) => ({ children }) });
    assert.deepEqual(parts, ['See ', { children: ['this'] }, '.']);
    setMessages(messagesOf('en'));
  });

  it('do not break a page with a message that lacks a value or that is absent', () => {
    const reported: Error[] = [];
    Object.assign(globalThis, { reportError: (error: Error) => reported.push(error) });
    setMessages({
      kit: {
        open: 'Open the request {id}',
        parsed: parse('{count, plural, one {# call} other {# calls}} of {name}'),
        broken: 'Open {id',
        see: 'See <link>this</link>.',
      },
    });
    try {
      const text = textOf('kit') as unknown as (key: string, values?: object) => string;
      assert.equal(text('open', { query: 'a' }), 'Open the request {id}');
      assert.equal(text('parsed'), '{count} of {name}');
      assert.equal(text('broken', { id: 1 }), 'Open {id');
      assert.equal(text('absent'), 'absent');
      assert.deepEqual(partsOf('kit', 'see', {}), ['See <link>this</link>.']);
      assert.equal(text('open'), 'Open the request {id}');
      assert.deepEqual(
        reported.map(({ message }) => /"(.*?)"/.exec(message)?.[1]),
        ['kit open', 'kit parsed', 'kit broken', 'kit absent', 'kit see'],
        'each message is reported once',
      );
    } finally {
      Reflect.deleteProperty(globalThis, 'reportError');
      setMessages(messagesOf('en'));
    }
  });

  it('need the values of their placeholders, which the compiler checks', () => {
    const text = textOf('shell');
    const key = 'palette.request';
    // @ts-expect-error the message has the placeholder {id}
    assert.equal(text(key, { query: 'a' }), text(key, { id: '{id}' }));
    // @ts-expect-error one of the two messages has the placeholder {id}
    assert.equal(text(Math.random() < 2 ? key : 'live'), text(key, { id: '{id}' }));
  });
});

describe('the language of the pages', () => {
  const available = ['de', 'en', 'ja'];

  it('is the first of the browser that is available, and keeps the region for dates and numbers', () => {
    assert.deepEqual(chooseLanguage(available, ['fr-FR', 'de-AT', 'en']), {
      language: 'de',
      locale: 'de-AT',
    });
    assert.deepEqual(chooseLanguage(available, ['en', 'en-GB']), { language: 'en', locale: 'en-GB' });
    assert.deepEqual(chooseLanguage(available, ['ja', 'en-US']), { language: 'ja', locale: 'ja' });
  });

  it('is English if no language of the browser is available', () => {
    assert.deepEqual(chooseLanguage(available, ['fr-FR']), { language: 'en', locale: 'en' });
  });

  it('decides how numbers and dates are written', () => {
    const before = locale();
    setLocale('de-DE');
    assert.equal(numberFormat().format(1234.5), '1.234,5');
    assert.equal(dateFormat({ dateStyle: 'short', timeZone: 'UTC' }).format(0), '01.01.70');
    setLocale(before);
    assert.equal(numberFormat().format(1234.5), '1,234.5');
  });
});
