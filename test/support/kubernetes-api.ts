import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly status?: unknown;
  readonly [member: string]: unknown;
}

/** Resources that the double knows, by group and version. */
const RESOURCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  v1: { configmaps: 'ConfigMap', secrets: 'Secret', services: 'Service', serviceaccounts: 'ServiceAccount' },
  'apps/v1': { deployments: 'Deployment' },
  'batch/v1': { jobs: 'Job' },
  'policy/v1': { poddisruptionbudgets: 'PodDisruptionBudget' },
  'networking.k8s.io/v1': { networkpolicies: 'NetworkPolicy' },
};

const VERSIONED = { resourceVersion: '1' };
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' };

/** A double of the API of Kubernetes, as far as Helm uses it. It keeps objects, and gives jobs to a function. */
export interface KubernetesApi {
  readonly url: string;
  /** Objects by path. */
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  close(): void;
}

/** Starts the double. `runJob` returns whether the job succeeded. */
export async function startKubernetesApi(
  runJob: (job: KubernetesObject, objects: readonly KubernetesObject[]) => boolean,
): Promise<KubernetesApi> {
  const objects = new Map<string, KubernetesObject>();
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://double');
    const send = (status: number, body: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    // An empty document, by which Helm accepts all manifests.
    if (pathname === '/openapi/v2') return void res.end();
    const known = discovery(pathname);
    if (known) return send(200, known);
    // The records of Helm about its releases are not needed again.
    if (req.headers['content-type']?.includes('protobuf')) {
      res.writeHead(200, { 'content-type': req.headers['content-type'] });
      return void req.pipe(res);
    }
    if (req.method === 'POST') {
      const object = JSON.parse(await textOf(req)) as KubernetesObject;
      const metadata = { ...object.metadata, ...VERSIONED };
      const kept = {
        ...object,
        metadata,
        ...(object.kind === 'Job' && statusOf(runJob(object, [...objects.values()]))),
      };
      objects.set(`${pathname}/${object.metadata.name}`, kept);
      return send(201, kept);
    }
    const object = objects.get(pathname);
    if (req.method === 'DELETE') objects.delete(pathname);
    if (object) return send(200, object);
    const [, version = '', plural = ''] =
      /^\/apis?\/((?:[^/]+\/)?v1)\/namespaces\/[^/]+\/([a-z]+)$/.exec(pathname) ?? [];
    const kind = RESOURCES[version]?.[plural];
    if (kind === undefined)
      return send(404, {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'NotFound',
        code: 404,
      });
    const items = [...objects].filter(([path]) => path.startsWith(`${pathname}/`)).map(([, one]) => one);
    if (!searchParams.has('watch'))
      return send(200, { kind: `${kind}List`, apiVersion: version, metadata: VERSIONED, items });
    // A watch begins with the present objects, and stays open.
    const bookmark = {
      kind,
      apiVersion: version,
      metadata: { ...VERSIONED, annotations: INITIAL_EVENTS_END },
    };
    const events = [
      ...items.map((object) => ({ type: 'ADDED', object })),
      { type: 'BOOKMARK', object: bookmark },
    ];
    res.writeHead(200, { 'content-type': 'application/json' });
    for (const event of events) res.write(`${JSON.stringify(event)}\n`);
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function discovery(path: string): unknown {
  if (path === '/version') return { major: '1', minor: '31', gitVersion: 'v1.31.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const groups = Object.keys(RESOURCES).filter((version) => version !== 'v1');
    const groupOf = (groupVersion: string): unknown => {
      const version = { groupVersion, version: 'v1' };
      return { name: groupVersion.split('/')[0], versions: [version], preferredVersion: version };
    };
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupOf) };
  }
  const groupVersion = path.replace(/^\/apis?\//, '');
  const plurals = RESOURCES[groupVersion];
  if (!plurals) return undefined;
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
  const resources = Object.entries(plurals).map(([name, kind]) => ({ name, kind, namespaced: true, verbs }));
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function statusOf(isComplete: boolean): Pick<KubernetesObject, 'status'> {
  const type = isComplete ? 'Complete' : 'Failed';
  return {
    status: { conditions: [{ type, status: 'True', reason: isComplete ? '' : 'BackoffLimitExceeded' }] },
  };
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
