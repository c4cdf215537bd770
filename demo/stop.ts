/** One step of the tour: a request and the expected reply. */
export interface Stop {
  readonly title: string;
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    readonly path: string;
    /** Role of the token that is sent. Without a role, no token is sent. */
    readonly role?: 'admin' | 'engineering';
    readonly body?: unknown;
  };
  readonly status: number;
  /** Texts that the reply must contain. */
  readonly contains: readonly string[];
  /** Texts that the reply must not contain. */
  readonly lacks?: readonly string[];
}

/** Environment of the tour. */
export interface TourGuide {
  readonly url: string;
  /** Base URL of the second server of the demo, for `{inventory}` in bodies. */
  readonly inventoryUrl: string;
  /** The orchestrator, for `{orchestrator}` in bodies. */
  readonly orchestrator: { readonly url: string };
  issueToken(role: string): string;
  print(line: string): void;
}

/** Sends the request of a step, prints request and reply, and resolves to the faults of the reply. */
export async function visit(stop: Stop, guide: TourGuide): Promise<readonly string[]> {
  const { method, path, role, body } = stop.request;
  const text =
    body === undefined
      ? undefined
      : JSON.stringify(body)
          .replace('{inventory}', guide.inventoryUrl)
          .replace('{orchestrator}', guide.orchestrator.url);
  guide.print(`\n# ${stop.title}`);
  guide.print(`> ${method} ${path}${role ? `   (token with the role ${role})` : ''}`);
  if (text !== undefined) guide.print(`> ${text}`);
  const answer = await fetch(guide.url + path, {
    method,
    headers: {
      ...(role && { authorization: `Bearer ${guide.issueToken(role)}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    },
    body: text ?? null,
  });
  const reply = compact(await answer.text());
  guide.print(`< ${answer.status} ${reply}`);
  return complaints(stop, answer.status, reply);
}

function complaints({ status, contains, lacks = [] }: Stop, got: number, reply: string): readonly string[] {
  return [
    ...(got === status ? [] : [`expected status ${status}, got ${got}`]),
    ...contains.filter((text) => !reply.includes(text)).map((text) => `expected ${text} in the answer`),
    ...lacks.filter((text) => reply.includes(text)).map((text) => `did not expect ${text} in the answer`),
  ];
}

/** Formats text as one line without extra white space, for display and comparison. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
