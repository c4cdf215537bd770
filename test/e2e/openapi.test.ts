import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { ROOT } from '../shape/source-files.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

/** What arrived at the orchestrator. */
interface Arrival {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The next reply of the orchestrator. */
interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string | Buffer;
}

const DOCUMENTS = join(ROOT, 'test/adapters/openapi/documents');

describe('methods of an OpenAPI document', () => {
  let listener: Listener;
  let server: TestServer;
  let arrivals: Arrival[] = [];
  let answer: Answer = {};

  before(async () => {
    const orchestrator = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url: target = '', headers } = request;
        arrivals.push({ method, target, headers, body: Buffer.concat(pieces) });
        const { status = 200, type = 'application/json', body = '{"ok":true}' } = answer;
        response.writeHead(status, { 'content-type': type }).end(body);
      });
    });
    listener = await listenOnLoopback(orchestrator);
    const url = `http://${listener.host}`;
    const adapter = (document: string, more = ''): string => `plugin: http-rest
baseUrl: ${url}/api/v1
auth: { type: header, name: X-Auth-Token, value: $VAULT_adapters/core1#password }
openapi: { file: ../apis/${document}, methods: ['*']${more} }
options: { headers: { X-Fixed: one } }
`;
    const folder = temporaryFolder().path;
    server = await startTestServer({
      folder,
      adapters: {
        devices: adapter('devices.yaml'),
        checked: adapter('devices.yaml', ', validateReplies: true'),
        legacy: adapter('legacy.json'),
        modern: adapter('modern.yaml'),
        controller: `plugin: restconf
baseUrl: ${url}/api
openapi: { file: ../apis/restconf.yaml, methods: [getSystem, setName] }
options: { root: /rests }
`,
      },
      arrange: () => {
        cpSync(DOCUMENTS, join(folder, 'apis'), { recursive: true });
      },
    });
  });
  after(async () => {
    await server.close();
    await listener.close();
  });
  beforeEach(() => {
    arrivals = [];
    answer = {};
  });

  /** Calls a method, and returns the reply and what arrived. */
  async function run(adapter: string, method: string, args: object) {
    const reply = await server.call(`POST /adapters/${adapter}/call/${method}`, { body: args });
    return { reply, arrived: arrivals[0] };
  }

  const listed = async (adapter: string): Promise<readonly Record<string, unknown>[]> => {
    const reply = await server.call(`GET /adapters/${adapter}/methods`);
    assert.equal(reply.status, 200, reply.text);
    return (reply.json as { readonly results: readonly Record<string, unknown>[] }).results;
  };

  /** Returns the sorted pointers of the faults for which a call is refused. */
  const faults = async (adapter: string, method: string, args: object): Promise<readonly string[]> => {
    const { reply } = await run(adapter, method, args);
    assert.equal(reply.status, 400, reply.text);
    const { errors } = reply.json as { readonly errors: readonly { readonly pointer: string }[] };
    return errors.map(({ pointer }) => pointer).sort();
  };
  const assertSent = async (adapter: string, method: string, args: object): Promise<void> => {
    const { reply } = await run(adapter, method, args);
    assert.equal(reply.status, 200, reply.text);
  };

  it('are listed with names, effects, tags and schemas', async () => {
    const methods = await listed('devices');
    assert.equal(
      methods.map(({ name, effect }) => `${String(name)} ${String(effect)}`).join(', '),
      'addPort change, add_device change, delete_sites_site_devices_id delete, getDevice read, getDevice_2 change, ' +
        'getImage read, getStatus read, listDevices read, putImage change, putTree change, sendForm change, uploadImage change',
    );
    const [list, add] = ['listDevices', 'add_device'].map((name) =>
      methods.find((one) => one['name'] === name),
    );
    assert.deepEqual(
      [list?.['summary'], list?.['description'], add?.['tags']],
      ['List the devices of a site', 'Reads the inventory, not the devices.', ['Devices', 'Changes']],
    );
    const { properties, required } = list?.['input'] as Record<'properties' | 'required', object>;
    assert.deepEqual(required, ['site']);
    assert.equal(
      Object.keys(properties).join(),
      'site,fields,filter,states,limit,query,where,X-Trace-Id,view',
    );
    assert.deepEqual((properties as Record<string, unknown>)['limit'], {
      type: 'integer',
      minimum: 1,
      maximum: 500,
      description: 'Default: 100.',
    });
  });

  it('send parameters as the document says, and the credentials of the adapter', async () => {
    const { reply, arrived } = await run('devices', 'listDevices', {
      site: 'ber lin/1',
      fields: ['a', 'b,c'],
      filter: { role: 'edge', at: { city: 'x&y' } },
      states: ['up', 'down'],
      limit: 5,
      query: 'a/b:c&d',
      where: { id: 1 },
      'X-Trace-Id': 't 1',
      view: 'a b;c',
    });
    assert.equal(reply.text, '{"ok":true}');
    assert.equal(
      arrived?.target,
      '/api/v1/sites/ber%20lin%2F1/devices?fields=a,b%2Cc&filter%5Brole%5D=edge&filter%5Bat%5D%5Bcity%5D=x%26y&states=up%7Cdown&limit=5&query=a/b:c%26d&where=%7B%22id%22%3A1%7D',
    );
    assert.equal(arrived.headers.accept, 'application/json');
    assert.equal(arrived.headers.cookie, 'view=a%20b%3Bc');
    assert.equal(arrived.headers['x-trace-id'], 't 1');
    assert.equal(arrived.headers['x-auth-token'], server.password);
    assert.equal(arrived.headers['x-fixed'], 'one');
  });

  it('send the styles of the path, and refuse arguments that would name another path', async () => {
    const { arrived } = await run('devices', 'getDevice', { site: 'a', id: 'x/y' });
    assert.equal(arrived?.target, '/api/v1/sites/.a/devices/;id=x%2Fy');
    for (const site of ['', '.', '..', '../..', '%2e%2e', '..;x']) {
      arrivals = [];
      const { reply } = await run('devices', 'delete_sites_site_devices_id', { site, id: 'a' });
      assert.deepEqual([site, reply.status, arrivals], [site, 400, []], reply.text);
    }
  });

  it('name an argument by its place if another one has its name', async () => {
    const { arrived } = await run('devices', 'delete_sites_site_devices_id', {
      site: 's',
      id: 'a',
      id_query: 7,
    });
    assert.deepEqual([arrived?.method, arrived?.target], ['DELETE', '/api/v1/sites/s/devices/a?id=7']);
    const patched = await run('devices', 'getDevice_2', {
      site: 's',
      id: 'a',
      name: 'n',
      id_body: 'b',
      note: null,
    });
    const sent = arrivals.at(-1);
    assert.equal(patched.reply.status, 200, patched.reply.text);
    assert.equal(sent?.headers['content-type'], 'application/merge-patch+json');
    assert.deepEqual(JSON.parse(String(sent.body)), { name: 'n', id: 'b', note: null });
  });

  it('send no body if an optional one has no argument, and need its members otherwise', async () => {
    const without = await run('devices', 'getDevice_2', { site: 's', id: 'a' });
    assert.deepEqual([without.reply.status, without.arrived?.body.length], [200, 0], without.reply.text);
    assert.deepEqual(await faults('devices', 'getDevice_2', { site: 's', id: 'a', mode: 'x' }), ['/name']);
  });

  it('refuse arguments before anything is sent, with a pointer to each fault', async () => {
    assert.deepEqual(await faults('devices', 'listDevices', { fields: 'a', limit: 501, nothing: 1 }), [
      '/fields',
      '/limit',
      '/nothing',
      '/site',
    ]);
    const device = { site: 's', body: { kind: 'router', name: 'x', asn: 'no' } };
    assert.ok((await faults('devices', 'add_device', device)).includes('/body/asn'));
    const tree = { name: 'a', children: [{ name: 1 }] };
    assert.deepEqual(await faults('devices', 'putTree', tree), ['/children/0/name']);
    assert.deepEqual(arrivals, []);
  });

  it('choose the branch of a union by its discriminator, and leave out what is only read', async () => {
    const body = { kind: 'switch', name: 'x', vlans: [1] };
    await assertSent('devices', 'add_device', { site: 's', body });
    const { results } = (
      await server.call('GET /adapters/devices/methods?equalsField=name&equals=add_device')
    ).json as {
      readonly results: readonly { readonly input: { readonly $defs: { readonly Base: object } } }[];
    };
    assert.deepEqual(results[0]?.input.$defs.Base, {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 64 }, secret: { type: 'string', writeOnly: true } },
    });
  });

  it('take references to other files, null, and bounds of OpenAPI 3.0', async () => {
    await assertSent('devices', 'addPort', { name: 'p', speed: 10 });
    assert.deepEqual(await faults('devices', 'addPort', { name: 'p', speed: 5 }), ['/speed']);
    await assertSent('devices', 'putTree', { name: 'a', owner: null, weight: 0.1 });
    assert.deepEqual(await faults('devices', 'putTree', { name: 'a', weight: 0 }), ['/weight']);
  });

  it('send forms and files', async () => {
    await run('devices', 'sendForm', { user: 'a b', roles: ['x', 'y'], scope: ['s', 't'], extra: { a: 1 } });
    const form = arrivals.at(-1);
    assert.equal(form?.headers['content-type'], 'application/x-www-form-urlencoded');
    assert.equal(String(form.body), 'user=a%20b&roles=x&roles=y&scope=s,t&extra=%7B%22a%22%3A1%7D');
    const file = Buffer.from([0, 255, 10]).toString('base64');
    await run('devices', 'uploadImage', { file, version: 3, labels: { a: 'b' } });
    const parts = partsOf(arrivals.at(-1));
    assert.deepEqual(parts, [
      ['file', 'file', 'application/x-tar', file],
      ['version', '', '', '3'],
      ['labels', 'blob', 'application/json', Buffer.from('{"a":"b"}').toString('base64')],
    ]);
    await run('devices', 'putImage', { name: 'i', body: file });
    assert.deepEqual(
      [arrivals.at(-1)?.body, arrivals.at(-1)?.headers['content-type']],
      [Buffer.from([0, 255, 10]), 'application/octet-stream'],
    );
    assert.deepEqual(await faults('devices', 'putImage', { name: 'i', body: 'no base64!' }), ['/body']);
  });

  it('take Swagger 2.0: formats of collections, bodies, forms and files', async () => {
    await run('legacy', 'listVlans', { tags: ['a', 'b'], ids: [1, 2], names: ['x', 'y'] });
    assert.equal(arrivals[0]?.target, '/api/v1/vlans?tags=a&tags=b&ids=1%7C2&names=x%09y');
    await run('legacy', 'addVlan', { id: 5, name: null });
    assert.equal(String(arrivals[1]?.body), '{"id":5,"name":null}');
    await run('legacy', 'sendFields', { user: 'a', groups: ['x', 'y'] });
    assert.equal(String(arrivals[2]?.body), 'user=a&groups=x,y');
    await run('legacy', 'sendFile', { file: 'AA==', note: 'n' });
    assert.deepEqual(partsOf(arrivals[3]), [
      ['file', 'file', 'application/octet-stream', 'AA=='],
      ['note', '', '', 'n'],
    ]);
  });

  it('take OpenAPI 3.1: lists of types, constants, tuples and open objects', async () => {
    const route = {
      prefix: 'p',
      nextHop: null,
      kind: 'static',
      pair: ['a', 1],
      metric: 1,
      labels: { a: 'b' },
    };
    await assertSent('modern', 'addRoute', route);
    const wrong = { prefix: 'p', kind: 'other', pair: ['a', 'b'], metric: 0, labels: { a: 1 } };
    assert.deepEqual(await faults('modern', 'addRoute', wrong), ['/kind', '/labels/a', '/metric', '/pair/1']);
    await run('modern', 'sendAnything', { body: { a: 1, more: true } });
    assert.equal(String(arrivals.at(-1)?.body), '{"a":1,"more":true}');
  });

  it('are translated by the plugin: restconf finds the root, and sends its media types', async () => {
    await run('controller', 'getSystem', { depth: 2 });
    assert.equal(arrivals[0]?.target, '/api/rests/data/ietf-system:system?depth=2');
    assert.match(arrivals[0].headers.accept ?? '', /^application\/yang-data\+json/);
    await run('controller', 'setName', { body: { 'ietf-system:hostname': 'r1' } });
    assert.deepEqual(
      [arrivals[1]?.method, arrivals[1]?.headers['content-type']],
      ['PATCH', 'application/yang-data+json'],
    );
    assert.equal(arrivals[1]?.target, '/api/rests/data/ietf-system:system');
  });

  it('return JSON byte for byte, texts as texts, files as base64, and nothing as null', async () => {
    const answers: readonly (readonly [Answer, string])[] = [
      [{ body: '{"big": 12345678901234567890}' }, '{"big": 12345678901234567890}'],
      [{ type: 'text/plain', body: 'up' }, '"up"'],
      [
        { type: 'application/octet-stream', body: Buffer.from([0, 255]) },
        '{"contentType":"application/octet-stream","base64":"AP8="}',
      ],
      [{ status: 204, body: '' }, 'null'],
    ];
    for (const [next, expected] of answers) {
      answer = next;
      assert.equal((await run('devices', 'getStatus', {})).reply.text, expected);
    }
  });

  it('validate replies if the adapter asks for it', async () => {
    answer = { body: '{"up":"yes"}' };
    await assertSent('devices', 'getStatus', {});
    const { reply } = await run('checked', 'getStatus', {});
    assert.equal(reply.status, 502);
    assert.match(reply.text, /upstream_bad_reply.*not what the OpenAPI document describes: \/up must be/);
    answer = { body: '{"up":true}' };
    assert.equal((await run('checked', 'getStatus', {})).reply.text, '{"up":true}');
  });
});

/** Returns the parts of a form: name, name of the file, media type and content, that of a file or of JSON as base64. */
function partsOf(arrival: Arrival | undefined): readonly (readonly string[])[] {
  const [, boundary = ''] =
    /^multipart\/form-data; boundary=(.+)$/.exec(arrival?.headers['content-type'] ?? '') ?? [];
  const text = arrival?.body.toString('latin1') ?? '';
  const parts = text.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const [head = '', content = ''] = part.replace(/^\r\n|\r\n$/g, '').split(/\r\n\r\n(.*)/s);
    const [, name = '', , file = ''] = /name="([^"]*)"(; filename="([^"]*)")?/.exec(head) ?? [];
    const [, type = ''] = /content-type: (.+)/i.exec(head) ?? [];
    return [name, file, type, type === '' ? content : Buffer.from(content, 'latin1').toString('base64')];
  });
}
