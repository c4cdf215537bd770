import { deepEqual, equal } from 'node:assert/strict';
import { fillPath, formBindings, placeholdersOf, queriedAdapter } from '../../src/form-model/form-binding.js';

describe('bindings of a form', () => {
  it('are found in nested members and in lists', () => {
    const bound = {
      'binding:method': 'post',
      'binding:hyperSchema': { base: '/a/', links: [{ href: 'b' }] },
    };
    const found = formBindings({
      properties: { site: bound, links: { items: { properties: { port: bound } } } },
    });
    deepEqual(
      found.map(({ path, method, href }) => [path, method, href]),
      [
        ['/site', 'POST', '/a/b'],
        ['/links/*/port', 'POST', '/a/b'],
      ],
    );
    deepEqual(formBindings(undefined), []);
  });

  it('only query adapters', () => {
    const adapterOf = (href: string, method = 'POST') => queriedAdapter({ method, href });
    equal(adapterOf('/orchestrator_manager/restQuery/nso1.example.com'), 'nso1.example.com');
    equal(adapterOf('/nso_manager/restQuery/a%20b'), 'a b');
    for (const href of [
      '/orchestrator_manager/restAction/a',
      '/orchestrator_manager/restQuery/..',
      '/orchestrator_manager/restQuery/a/../../x',
      '/orchestrator_manager/restQuery/%zz',
      '//evil.example/orchestrator_manager/restQuery/a',
      'http://evil.example/orchestrator_manager/restQuery/a',
      '',
    ])
      equal(adapterOf(href), undefined, href);
    equal(adapterOf('/orchestrator_manager/restQuery/a', 'DELETE'), undefined);
  });
});

describe('the path of a bound query', () => {
  const fill = (template: string, value: unknown) => fillPath(template, { '/x': value });

  it('refuses long paths and many placeholders at once, whatever a form contains', () => {
    const many = Array.from({ length: 33 }, (_, at) => `{/f${at}}`).join('');
    deepEqual(fillPath(`/${many}`, {}), { unusable: 'has a path with more than 32 placeholders' });
    deepEqual(fillPath(`/${'{/a}'.repeat(250_000)}`, { '/a': 1 }), {
      unusable: 'has a path of more than 8192 characters',
    });
  });

  it('knows a key after other placeholders of the same segment, and after a slash again none', () => {
    deepEqual(fillPath('/a={/x},{/x}', { '/x': 'b/c' }), { path: '/a=b%2Fc,b%2Fc' });
    equal('message' in fillPath('/a={/x}/{/x}', { '/x': 'b/c' }), true);
    deepEqual(fillPath('/a?q={/x}/{/x}', { '/x': 'b/c' }), { path: '/a?q=b%2Fc/b%2Fc' });
  });

  it('contains the values of other fields, percent-encoded', () => {
    deepEqual(placeholdersOf('/a={/site}/b={/links/*/device}?c={/site}'), ['/site', '/links/*/device']);
    deepEqual(fill('/a/{/x}', 'b c&d=e#f?g,h'), { path: '/a/b%20c%26d%3De%23f%3Fg%2Ch' });
    deepEqual(fill('/a={/x}', 'eth0/1'), { path: '/a=eth0%2F1' });
    deepEqual(fill('/a?b={/x}', '1/2=3#4 5'), { path: '/a?b=1%2F2%3D3%234%205' });
    deepEqual(fill('/a={/x}', 4094), { path: '/a=4094' });
    deepEqual(fill('/a={/x}', false), { path: '/a=false' });
    deepEqual(fillPath('/a/{b}', {}), { path: '/a/{b}' });
  });

  it('waits for every value', () => {
    for (const value of [undefined, null, ''])
      deepEqual(fill('/a={/x}', value), { pointer: '/x', message: 'has no value' });
    deepEqual(fillPath('/a={/x}&b={/toString}', { '/x': 1 }), {
      pointer: '/toString',
      message: 'has no value',
    });
  });

  it('S3-4: contains no operator of a query language, unless the schema of the field lists the value', () => {
    const conditions = [
      '/x?q=company={/x}^active=true',
      ...["/x?filter=name='{/x}'", "/Devices('{/x}')", '/D%28{/x})'],
    ];
    const hostile = ["x' or '1'='1", 'x") or (1', ...'a^NQactive=false a&b a|b * a<b `id` a[1]'.split(' ')];
    for (const template of conditions)
      for (const value of hostile) {
        const isRefused = (isListed: boolean) =>
          'message' in fillPath(template, { '/x': value }, () => isListed);
        deepEqual([isRefused(false), isRefused(true)], [true, false], `${template} ${value}`);
      }
    deepEqual(fill('/x?q=city={/x}', 'Frankfurt am Main'), { path: '/x?q=city=Frankfurt%20am%20Main' });
    deepEqual(fill('/interface={/x}', 'Po(1)'), { path: '/interface=Po(1)' });
  });

  it('never leaves its segment', () => {
    const others = ['a\\b', 'a;b', 'a\nb', '\ud800', 'x'.repeat(257), {}, [1]];
    for (const value of ['a/b', '..', '.', '../..', ...others])
      equal('message' in fill('/a/{/x}/c', value), true, JSON.stringify(value));
    for (const value of ['../../b', 'a/..', './a'])
      equal('message' in fill('/a={/x}', value), true, JSON.stringify(value));
    equal('message' in fillPath('/a/{/x}{/y}', { '/x': '', '/y': '..' }), true);
    equal('message' in fillPath('/a/.{/x}', { '/x': '.' }), true);
    deepEqual(fill('/a/{/x}', '%2e%2e%2f'), { path: '/a/%252e%252e%252f' });
  });
});
