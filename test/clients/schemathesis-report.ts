import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** One failed check of one request. */
export interface CheckFailure {
  readonly check: string;
  /** Method and path of the operation, for example `POST /adapters`. */
  readonly operation: string;
  /** Status, and the code of the problem if the response is one: `400 invalid_request`. */
  readonly answer: string;
  /** Phase of the run; `examples` and `coverage` send the same requests in every run. */
  readonly phase: string;
  /** First lines of the message, and the request. */
  readonly about: string;
}

/** Result of a run. */
export interface SchemathesisResult {
  /** Operations that were sent requests, as in {@link CheckFailure}. */
  readonly operations: readonly string[];
  readonly failures: readonly CheckFailure[];
  /** Errors of the program itself, for example a lost connection. */
  readonly errors: readonly string[];
}

interface Scenario {
  readonly phase: string;
  /** A skipped scenario has neither checks nor interactions. */
  readonly recorder: {
    readonly label: string;
    readonly checks?: Readonly<Record<string, readonly Check[]>>;
    readonly interactions?: Readonly<Record<string, Interaction>>;
  };
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly operation: string; readonly message: string } };
}

interface Interaction {
  readonly request: { readonly method: string; readonly uri: string; readonly body?: Encoded };
  readonly response?: { readonly status_code: number; readonly content?: Encoded };
}

interface Encoded {
  readonly $base64: string;
}

/** Reads the report in NDJSON of `schemathesis run --report ndjson`. */
export async function readReport(path: string): Promise<SchemathesisResult> {
  const failures: CheckFailure[] = [];
  const errors: string[] = [];
  const operations = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const event = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if ('NonFatalError' in event || 'FatalError' in event) errors.push(line.slice(0, 2_000));
    const scenario = event['ScenarioFinished'] as Scenario | undefined;
    if (!scenario) continue;
    const { label, interactions = {} } = scenario.recorder;
    if (scenario.phase !== 'stateful' && Object.keys(interactions).length > 0) operations.add(label);
    failures.push(...failuresOf(scenario));
  }
  return { operations: [...operations], failures, errors };
}

function failuresOf({ phase, recorder }: Scenario): readonly CheckFailure[] {
  const { label, checks: byCase = {}, interactions = {} } = recorder;
  return Object.entries(byCase).flatMap(([id, checks]) => {
    const interaction = interactions[id];
    return checks
      .filter(({ status }) => status === 'failure')
      .map(({ name, failure_info }) => ({
        check: name,
        operation: failure_info?.failure.operation ?? label,
        answer: statusAndCodeOf(interaction),
        phase,
        about: `${failure_info?.failure.message ?? ''}\n${requestText(interaction)}\n${textOf(interaction?.response?.content)}`,
      }));
  });
}

function statusAndCodeOf(interaction: Interaction | undefined): string {
  const { status_code: status = 0, content } = interaction?.response ?? {};
  try {
    const { code } = JSON.parse(textOf(content)) as { readonly code?: unknown };
    return typeof code === 'string' ? `${status} ${code}` : String(status);
  } catch {
    return String(status);
  }
}

function requestText(interaction: Interaction | undefined): string {
  if (!interaction) return '';
  const { method, uri, body } = interaction.request;
  return `${method} ${uri.slice(0, 500)} ${textOf(body).slice(0, 1_000)}`;
}

function textOf(encoded: Encoded | undefined): string {
  return encoded ? Buffer.from(encoded.$base64, 'base64').toString() : '';
}
