import { Agent, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { openReadyOrchestrator } from '../ready-orchestrator.js';
import { type Findings, SABOTAGED } from '../report.js';
import { SHIPPED_COMMAND, startServerProcess } from '../server-process.js';
import { bodiesWith, KINDS } from './bodies.js';
import { prepareTurnProbe } from './longest-turn.js';
import { type BodyOperation, operationsWithBody } from './operations.js';

/** A body as large as `server.limits.bodyBytes`, and one of nearly as many values as are accepted. */
const SIZES = {
  full: { bytes: 1_040_000, values: Infinity, costly: Infinity },
  most: { bytes: 900_000, values: 9_900, costly: 9_900 },
};

/** Operations with documents may have eight times as many values, and twice as many that take long. */
const [DOCUMENT_FACTOR, COSTLY_FACTOR] = [8, 2];

/** gatehouse with a probe of its event loop. */
interface Probed {
  readonly url: string;
  readonly token: string;
  readonly orchestrator: string;
  /** Returns the longest stop since the last call, in milliseconds of processor time. */
  readonly longest: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** The longest stop by one operation. */
interface Stop {
  readonly ms: number;
  readonly by: string;
}

/**
 * Sends each kind of body, in each place and size, to every operation of the API description, and measures how long the longest turn
 * of the event loop of gatehouse takes meanwhile. `among` selects operations.
 */
export async function measureRequests(mostMs: number, among: (id: string) => boolean): Promise<Findings> {
  const probed = await startProbed();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const world = createWorld(probed, agent);
  const stops: Record<string, Stop> = {};
  let vectors = 0;
  // The first calls compile code; they are not of a kind that a caller can repeat.
  const refused = await warmUp(probed, world);
  for (const operation of operationsWithBody().filter(({ id }) => among(id))) {
    let longest: Stop = { ms: 0, by: '' };
    for (const [by, text] of bodiesOf(operation, probed.orchestrator)) {
      vectors += 1;
      const { status, ms } = await measureOne(probed, world, { operation, text, mostMs });
      if (ms > longest.ms) longest = { ms, by: `${by}: ${status}` };
    }
    process.stderr.write(`${operation.id} ${longest.ms} ms (${longest.by})\n`);
    stops[operation.id] = longest;
  }
  agent.destroy();
  await probed.stop();
  const { holds, figures } = findingsOf(stops, vectors, mostMs);
  return { holds: holds && vectors > 0 && refused.length === 0, figures: { ...figures, refused } };
}

/** Attempts after a stop that is too long. What stops the loop each time is the body; a collection of all garbage is not. */
const MORE_ATTEMPTS = 2;

/** Resolves to the shortest of the longest stops in up to three attempts. */
async function measureOne(
  { longest }: Probed,
  world: World,
  { operation, text, mostMs }: { operation: BodyOperation; text: string; mostMs: number },
): Promise<{ readonly status: number; readonly ms: number }> {
  let [status, ms] = [0, Infinity];
  for (let attempt = 0; attempt <= MORE_ATTEMPTS && ms > mostMs; attempt += 1) {
    const path = await world.pathOf(operation);
    await longest();
    status = await world.send(operation, path, text);
    ms = Math.min(ms, await longest());
  }
  return { status, ms };
}

function findingsOf(stops: Readonly<Record<string, Stop>>, vectors: number, mostMs: number): Findings {
  const sorted = Object.entries(stops).toSorted(([, one], [, other]) => other.ms - one.ms);
  const over = sorted.filter(([, { ms }]) => ms > mostMs);
  const longestMs = sorted[0]?.[1].ms ?? 0;
  return {
    holds: over.length === 0,
    figures: {
      vectors,
      longestMs,
      over: over.length,
      operations: Object.fromEntries(sorted.map(([id, { ms, by }]) => [id, `${ms} ms (${by})`])),
    },
  };
}

/** The host of the examples, which does not exist. */
const EXAMPLE_HOST = /https?:\/\/host\.example/g;

function* bodiesOf(
  { example, members }: BodyOperation,
  orchestrator: string,
): Generator<readonly [place: string, text: string]> {
  for (const [size, limits] of Object.entries({
    ...SIZES,
    document: {
      ...SIZES.most,
      values: DOCUMENT_FACTOR * SIZES.most.values,
      costly: COSTLY_FACTOR * SIZES.most.costly,
    },
  }))
    for (const [kind, valueOf] of Object.entries(KINDS))
      for (const [place, text] of bodiesWith(valueOf(limits), example, members))
        yield [`${size} ${kind} at ${place}`, text.replaceAll(EXAMPLE_HOST, orchestrator)] as const;
}

async function startProbed(): Promise<Probed> {
  const temporary = temporaryFolder();
  const folder = temporary.path;
  const orchestrator = await openReadyOrchestrator();
  const probe = prepareTurnProbe(folder);
  const adapter = `plugin: http-rest\nbaseUrl: ${orchestrator.url}\n`;
  const server = await startServerProcess(
    {
      folder,
      ...(SABOTAGED && { server: 'limits: { bodyValues: 1000000000 }' }),
      sections:
        'egress: { allow: [127.0.0.0/8], adapters: [127.0.0.0/8] }\nmcp: { enabled: true, operations: [orchestrator-manager.restAction], actions: task }\nforms: { maxForms: 100000, tasks: { maxTasks: 1000000, maxOpenPerSubject: 100000, maxTotalBytes: 1099511627776 } }',
      adapters: { light: adapter },
    },
    [],
    [...probe.options, ...SHIPPED_COMMAND],
  );
  return {
    url: server.url,
    orchestrator: orchestrator.url,
    token: server.issueToken('admin'),
    longest: probe.longestMs,
    async stop() {
      await server.stop();
      orchestrator.close();
      temporary.remove();
    },
  };
}

/**
 * Operations whose example is refused: they need a person, a secret, a stored version, a current problem or a method of a plugin.
 * All other examples must be accepted, because a body that is refused early shows little.
 */
const REFUSED_EXAMPLES = new Set(
  (
    'login getToken openSession backChannelLogout testSecret getTaskChoices callAdapterMethod acknowledgeProblem ' +
    'rollbackAdapter rollbackProfile rollbackAccessRule rollbackLimitRule'
  ).split(' '),
);

/** What an accepted example creates; it is deleted again, so that the next body can create it. */
const CREATED: Readonly<Record<string, string>> = {
  createAdapter: '/adapters/lab1',
  importAdapter: '/adapters/lab2',
  createProfile: '/profiles/night',
  importProfile: '/profiles/day',
};

const REJECTION = JSON.stringify({ outcome: 'rejected', reason: 'no person answers' });

/** Sends requests, and creates what the paths of operations name. */
interface World {
  /** Resolves to the status of the response. */
  readonly send: (operation: BodyOperation, path: string, text: string) => Promise<number>;
  readonly pathOf: (operation: BodyOperation) => Promise<string>;
}

/** Members of replies that name what was created. */
interface Created {
  readonly id?: string;
  readonly doc?: { readonly id: string };
  readonly data?: { readonly id?: string; readonly name?: string };
}

function createWorld({ url, token, orchestrator }: Probed, agent: Agent): World {
  const ask = (method: string, path: string, text: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(text),
      };
      const sent = request(url + path, { method, agent, headers }, (response) => {
        textOf(response).then((body) => {
          resolve({ status: response.statusCode ?? 0, text: body });
        }, reject);
      });
      // A server that refuses a body may close the connection before all of it is sent.
      sent.on('error', () => {
        resolve({ status: 0, text: '' });
      });
      sent.end(text);
    });
  const idOf = async (path: string, body: object): Promise<string> => {
    const { text } = await ask('POST', path, JSON.stringify(body));
    const { id, doc, data } = JSON.parse(text) as Created;
    const found = id ?? doc?.id ?? data?.id ?? data?.name;
    if (found === undefined) throw new Error(`POST ${path} creates nothing: ${text.slice(0, 300)}`);
    return found;
  };
  let tested = 0;
  const kept = new Map<string, Promise<string>>();
  /** Creates something once. */
  const keptId = (path: string, body: object): Promise<string> => {
    const made = kept.get(path) ?? idOf(path, body);
    kept.set(path, made);
    return made;
  };
  const task = ['/json-forms/task/RenderJsonSchema', { jsonSchema: true }] as const;
  const profile = { properties: { id: 'stalls', services: ['light'] } };
  const stored = { name: 'stored', model: 'restconf', properties: { properties: { baseUrl: orchestrator } } };
  const idIn = (id: string, path: string): Promise<string> => {
    // A second draft is compared with the first.
    if (path.includes('/tasks/')) return id === 'saveTaskDraft' ? keptId(...task) : idOf(...task);
    return path.startsWith('/profiles/')
      ? keptId('/profiles', profile)
      : keptId('/json-forms/forms', { name: 'stalls', schema: {}, uiSchema: {} });
  };
  return {
    async send({ id, method }, path, text) {
      // An adapter of one name is tested once in a few seconds.
      const answer = await ask(method, path, text.replaceAll('"lab3"', `"lab3-${(tested += 1)}"`));
      const created = CREATED[id];
      if (created !== undefined && answer.status === 200) await ask('DELETE', created, '');
      // A caller may have few open proposals.
      const [, proposed] = /task=(\w+)/.exec(answer.text) ?? [];
      if (path === '/mcp' && proposed !== undefined)
        await ask('POST', `/json-forms/tasks/${proposed}/outcome`, REJECTION);
      return answer.status;
    },
    async pathOf({ id, path }) {
      const named = path.includes('{id}') ? await idIn(id, path) : '';
      // An adapter in a file cannot be changed, and an operation of the adapters suspends the other.
      const adapter = path.startsWith('/adapters/{name}')
        ? await keptId('/adapters', { properties: stored })
        : 'spare';
      return path
        .replace('{id}', named)
        .replace('{adapterId}', 'light')
        .replace('{name}', path.startsWith('/application') ? 'Tools' : adapter)
        .replace('{method}', 'get');
    },
  };
}

/** Sends each example, and returns those that are refused and should not be. */
async function warmUp({ longest, orchestrator }: Probed, world: World): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const operation of operationsWithBody()) {
    const text = JSON.stringify(operation.example).replaceAll(EXAMPLE_HOST, orchestrator);
    const statuses: number[] = [];
    for (let at = 0; at < 3; at += 1)
      statuses.push(await world.send(operation, await world.pathOf(operation), text));
    const isAccepted = statuses.every((status) => status >= 200 && status < 300);
    if (!isAccepted && !REFUSED_EXAMPLES.has(operation.id))
      refused.push(`${operation.id}: ${statuses.join(', ')}`);
  }
  await longest();
  return refused;
}
