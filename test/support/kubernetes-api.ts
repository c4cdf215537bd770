import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.js';

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
  readonly objects: ReadonlyMap<string, KubernetesObject>;
  close(): Promise<void>;
}

/** Starts the double. `runJob` returns whether the job succeeded. */
export async function startKubernetesApi(
  runJob: (job: KubernetesObject, objects: readonly KubernetesObject[]) => boolean,
): Promise<KubernetesApi> {
  const objects = new Map<string, KubernetesObject>();
  const server = createServer((req, res) => void answer(req, res, { objects, runJob }));
  const { host, close } = await listenOnLoopback(server);
  return { url: `http://${host}`, objects, close };
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

interface Cluster {
  readonly objects: Map<string, KubernetesObject>;
  readonly runJob: (job: KubernetesObject, objects: readonly KubernetesObject[]) => boolean;
}

async function answer(req: IncomingMessage, res: ServerResponse, cluster: Cluster): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '/', 'http://double');
  const known = discovery(pathname);
  const type = req.headers['content-type'] ?? '';
  // An empty document, by which Helm accepts all manifests.
  if (pathname === '/openapi/v2') res.end();
  else if (known) send(res, 200, known);
  // The records of Helm about its releases are not needed again.
  else if (type.includes('protobuf')) req.pipe(res.writeHead(200, { 'content-type': type }));
  else if (req.method === 'POST') send(res, 201, create(pathname, await text(req), cluster));
  else answerAbout({ pathname, isWatch: searchParams.has('watch'), method: req.method }, res, cluster);
}

function send(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Keeps a new object, and runs a job. */
function create(pathname: string, sent: string, { objects, runJob }: Cluster): KubernetesObject {
  const object = JSON.parse(sent) as KubernetesObject;
  const kept = {
    ...object,
    metadata: { ...object.metadata, ...VERSIONED },
    ...(object.kind === 'Job' && statusOf(runJob(object, [...objects.values()]))),
  };
  objects.set(`${pathname}/${object.metadata.name}`, kept);
  return kept;
}

interface Question {
  readonly pathname: string;
  readonly isWatch: boolean;
  readonly method: string | undefined;
}

/** Answers with an object, which a deletion removes, or with the objects of a kind. */
function answerAbout(
  { pathname, isWatch, method }: Question,
  res: ServerResponse,
  { objects }: Cluster,
): void {
  const object = objects.get(pathname);
  if (method === 'DELETE') objects.delete(pathname);
  if (object) {
    send(res, 200, object);
    return;
  }
  const [, version = '', plural = ''] =
    /^\/apis?\/((?:[^/]+\/)?v1)\/namespaces\/[^/]+\/([a-z]+)$/.exec(pathname) ?? [];
  const kind = RESOURCES[version]?.[plural];
  const items = [...objects].filter(([path]) => path.startsWith(`${pathname}/`)).map(([, one]) => one);
  if (kind === undefined)
    send(res, 404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 });
  else if (isWatch) watch({ kind, version }, items, res);
  else send(res, 200, { kind: `${kind}List`, apiVersion: version, metadata: VERSIONED, items });
}

/** Begins with the present objects, and stays open. */
function watch(
  { kind, version }: { readonly kind: string; readonly version: string },
  items: readonly KubernetesObject[],
  res: ServerResponse,
): void {
  const bookmark = { kind, apiVersion: version, metadata: { ...VERSIONED, annotations: INITIAL_EVENTS_END } };
  const events = [
    ...items.map((object) => ({ type: 'ADDED', object })),
    { type: 'BOOKMARK', object: bookmark },
  ];
  res.writeHead(200, { 'content-type': 'application/json' });
  for (const event of events) res.write(`${JSON.stringify(event)}\n`);
}
