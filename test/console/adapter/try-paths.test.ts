import assert from 'node:assert/strict';
import { pathsOf, rememberPath } from '../../../console/src/pages/adapter/try-paths.js';
import { initialRequest } from '../../../console/src/pages/adapter/try-request.js';

function emptyStore() {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  };
}

const owner = { user: 'ada', adapter: 'nso1.example.com' };

describe('the paths that the tab Try remembers', () => {
  it('are the newest twenty of this user and adapter, each once and without its query', () => {
    const store = emptyStore();
    for (let at = 0; at < 30; at += 1) rememberPath(store, owner, `/devices/r${at}?token=secret`);
    rememberPath(store, owner, '/devices/r15');
    const paths = pathsOf(store, owner);
    assert.deepEqual([paths.length, paths[0], paths[1], paths.at(-1)], [20, '/devices/r15', '/devices/r29', '/devices/r10']); // prettier-ignore
    assert.ok(![...store.texts.values()].join().includes('secret'));
    assert.deepEqual(pathsOf(store, { ...owner, user: 'bob' }), []);
  });

  it('are none if the stored text is unreadable', () => {
    const store = emptyStore();
    rememberPath(store, owner, '/a');
    for (const key of store.texts.keys()) store.texts.set(key, '{');
    assert.deepEqual(pathsOf(store, owner), []);
  });
});

describe('the first request of the tab Try', () => {
  it('asks a RESTCONF server for its own media type', () => {
    assert.equal(initialRequest('restconf').accept, 'application/yang-data+json');
    assert.equal(initialRequest('http-rest').accept, 'application/json');
  });
});
