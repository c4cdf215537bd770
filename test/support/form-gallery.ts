import assert from 'node:assert/strict';
import type { Suite } from 'mocha';
import { consoleFor } from './console-errors.js';
import { GALLERY_FORM, GALLERY_YANG } from './form-gallery-forms.js';
import type { Route } from './server-calls.js';
import type { TestServer } from './test-server.js';

/**
 * A server with realistic data: adapters in every state, calls, forms, tasks, profiles. The members are the
 * ids that the pages show.
 */
export interface Gallery {
  readonly formId: string;
  /** Open tasks. */
  readonly formTask: string;
  readonly yangTask: string;
  readonly finishedTask: string;
  readonly profileId: string;
}

/** Sets up the console for a suite, with the data of the gallery. `gallery` is there from `before` on. */
export function galleryFor(suite: Suite): {
  readonly site: ReturnType<typeof consoleFor>;
  readonly gallery: () => Gallery;
} {
  let gallery: Gallery | undefined;
  const site = consoleFor(suite, {
    fill: async ({ testServer }) => {
      gallery = await fillGallery(testServer);
    },
  });
  return {
    site,
    gallery: () => {
      assert.ok(gallery, 'the gallery is filled before the tests');
      return gallery;
    },
  };
}

const INTERFACES = {
  params: { path: '/restconf/data/ietf-interfaces:interfaces', accept: 'application/yang-data+json' },
};

/** Fills a server with data through its API, as people and programs would. */
export async function fillGallery(testServer: TestServer): Promise<Gallery> {
  const api: Api = async (route, body) => {
    const { status, text, json } = await testServer.call(route, { roles: ['admin', 'engineering'], body });
    // Some adapters of the gallery are expected to fail.
    assert.ok(status < 300 || route.includes('/orchestrator_manager/'), `${route}: ${status} ${text}`);
    return json;
  };
  await registerAdapters(testServer, api);
  for (const adapter of ['core1', 'core1', 'core1', 'edge-berlin', 'edge-berlin', 'inventory', 'lab'])
    await api(`POST /orchestrator_manager/restQuery/${adapter}`, INTERFACES);
  await api('PUT /adapters/edge-hamburg/stop');
  const created = (await api('POST /json-forms/forms', GALLERY_FORM)) as {
    readonly doc: { readonly id: string };
  };
  const task = async (view: string, body: unknown) =>
    ((await api(`POST /json-forms/task/${view}`, body)) as { readonly id: string }).id;
  const show = { form_id: GALLERY_FORM.name, instance_data: { site: 'ber1', vlan: 120 } };
  const finishedTask = await task('ShowJsonForm', { ...show, title: 'VLAN for ber1' });
  await decide(testServer, finishedTask);
  await api('POST /profiles', {
    properties: { id: 'night-shift', description: 'Only what works at night', services: ['core1'] },
  });
  return {
    formId: created.doc.id,
    formTask: await task('ShowJsonForm', { ...show, title: 'VLAN for ham2' }),
    yangTask: await task('RenderYangForm', {
      yangData: [GALLERY_YANG],
      title: 'Edge router ber1',
      formData: {},
    }),
    finishedTask,
    profileId: 'night-shift',
  };
}

type Api = (route: Route, body?: unknown) => Promise<unknown>;

async function registerAdapters(testServer: TestServer, api: Api): Promise<void> {
  const auth = { type: 'basic', username: 'gatehouse', password: '$VAULT_adapters/core1#password' };
  const restconf = { baseUrl: testServer.orchestrator.url, auth, tls: { caFile: '../orchestrator-ca.pem' } };
  const plain = { baseUrl: testServer.inventoryUrl };
  // Nothing listens on port 9 (discard) of this machine.
  const gone = { baseUrl: 'http://127.0.0.1:9' };
  for (const [name, type, properties] of [
    ['edge-berlin', 'restconf', restconf],
    ['edge-hamburg', 'restconf', restconf],
    ['inventory', 'http-rest', plain],
    ['lab', 'http-rest', gone],
  ] as const) {
    const reply = (await api('POST /adapters', {
      properties: { name, model: type, properties: { id: name, type, properties } },
    })) as { readonly status?: string };
    assert.equal(reply.status, 'Created', JSON.stringify(reply));
  }
}

async function decide(testServer: TestServer, id: string): Promise<void> {
  const { status, text } = await testServer.call(`POST /json-forms/tasks/${id}/outcome`, {
    roles: ['engineering'],
    headers: { 'if-match': '"1"' },
    body: { outcome: 'approved', formData: { site: 'ber1', vlan: 120, gateway: '192.0.2.1' } },
  });
  assert.equal(status, 200, text);
}
