import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.js';

/** A server with the replies of OpenDaylight netconf 7.0.7, and of a device with netconfd 2.13 that it has mounted. */
export interface OpenDaylightDouble {
  readonly url: string;
  /** Method and path of every request so far. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Path of the mounted device below a data or operations resource. */
export const MOUNT = 'network-topology:network-topology/topology=topology-netconf/node=nc1/yang-ext:mount';

const TYPES = `module acme-types {
  namespace "urn:acme:types"; prefix t; revision 2024-05-01;
  typedef load { type uint8 { range "0..100"; } }
}`;
/** Both faults are those of netconf-node-optional and odl-netconf-device. */
const OPTIONAL = `module acme-optional {
  namespace "urn:acme:optional"; prefix o;
  description "import follows description";
  import acme-types { prefix t; }
  revision 2024-05-01;
  container node { leaf load { type t:load; } }
  augment "/o:node/" { leaf schemaless { type boolean; } }
}`;
const CONTROLLER_MODULES = new Map([
  ['acme-types', TYPES],
  ['acme-optional', OPTIONAL],
]);
const DEVICE_MODULES = new Map([['acme-types', TYPES.replace('0..100', '0..7')]]);

interface DoubleReply {
  readonly status: number;
  readonly body?: unknown;
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startOpenDaylight(login: string): Promise<OpenDaylightDouble> {
  const credentials = `Basic ${btoa(login)}`;
  const requests: string[] = [];
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url}`);
    const isRefused = request.headers.authorization !== credentials;
    const { status, body } = isRefused ? { status: 401 } : replyTo(method, url, sent);
    const type = typeof body === 'string' ? 'application/yang' : 'application/yang-data+json';
    response.writeHead(status, body === undefined ? {} : { 'content-type': type });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const { port, close } = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${port}`, requests, close };
}

function replyTo(method: string, url: string, sent: string): DoubleReply {
  if (method === 'POST') return getSchema(url, sent);
  switch (url) {
    // Jetty fails at the name of a session cookie.
    case '/.well-known/host-meta':
      return { status: 500 };
    case '/rests/yang-library-version':
      return { status: 200, body: { 'ietf-restconf:yang-library-version': '2019-01-04' } };
    case '/rests/data/ietf-yang-library:yang-library':
      return {
        status: 200,
        body: { 'ietf-yang-library:yang-library': { 'module-set': [controllerModules()] } },
      };
    case `/rests/data/${MOUNT}/ietf-yang-library:yang-library`:
      return failed(
        409,
        'data-missing',
        "Schema for '(urn:ietf:params:xml:ns:yang:ietf-yang-library?revision=2016-06-21)yang-library' not found",
      );
    case `/rests/data/${MOUNT}/ietf-yang-library:modules-state`:
      return { status: 200, body: { 'ietf-yang-library:modules-state': { module: deviceModules() } } };
    default:
      return moduleText(url);
  }
}

function controllerModules(): object {
  const module = [...CONTROLLER_MODULES.keys()].map((name) => ({
    name: `${name}_2024-05-01`,
    namespace: `urn:${name}`,
    revision: '2024-05-01',
    location: [`/rests/modules/${name}?revision=2024-05-01`],
  }));
  return { name: 'ODL_modules', module };
}

function deviceModules(): readonly object[] {
  return [...DEVICE_MODULES.keys()].map((name) => ({
    name,
    revision: '2024-05-01',
    namespace: `urn:${name}`,
    'conformance-type': 'implement',
  }));
}

function moduleText(url: string): DoubleReply {
  const [, name = ''] = /^\/rests\/modules\/([^?]+)\?revision=2024-05-01$/.exec(url) ?? [];
  const body = CONTROLLER_MODULES.get(name);
  return body === undefined ? { status: 404 } : { status: 200, body };
}

function getSchema(url: string, sent: string): DoubleReply {
  if (url !== `/rests/operations/${MOUNT}/ietf-netconf-monitoring:get-schema`)
    return failed(501, 'operation-failed', 'No implementation of RPC get-schema available');
  const { 'ietf-netconf-monitoring:input': input } = JSON.parse(sent) as Record<
    string,
    { identifier: string; version: string }
  >;
  const data = input?.version === '2024-05-01' ? DEVICE_MODULES.get(input.identifier) : undefined;
  return data === undefined
    ? failed(400, 'invalid-value', 'no such schema')
    : { status: 200, body: { 'ietf-netconf-monitoring:output': { data } } };
}

function failed(status: number, tag: string, message: string): DoubleReply {
  const error = { 'error-tag': tag, 'error-message': message, 'error-type': 'protocol' };
  return { status, body: { errors: { error: [error] } } };
}
