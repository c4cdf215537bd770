import { readFile } from 'node:fs/promises';
import { readRoles } from '../auth/token-roles.js';
import { asSettings } from '../config/settings-schema.js';
import type { RuleOutcome } from '../core/access-decision.js';
import type { GlobalAccessRule } from '../core/access-policy.js';
import { ConfigError } from '../core/fault.js';
import type { AccessDirectory } from '../features/access/access-directory.js';
import {
  type AccessCaller,
  type AccessExplanation,
  explainAccess,
  type ExplainedStep,
} from '../features/access/access-explanation.js';
import { findOperation } from '../features/access/access-operation.js';
import { openAccess } from '../features/roles.js';
import { isJsonObject, type JsonObject } from '../json/json-object.js';
import { didYouMean } from '../lib/closest-name.js';
import { createConfigLoader } from '../server/config-loader.js';
import type { Settings } from '../settings/settings.js';
import {
  type Command,
  type CommandIo,
  CONFIG_OPTION_HELP,
  configPath,
  EXIT,
  parsePositionals,
  UsageError,
  formatTable,
} from './lib/command.js';

/** Exit codes, which a script can use as a condition. */
const CAN = { allowed: EXIT.ok, denied: 1, usage: 2 } as const;

/** Explains from the configuration whether a caller may call an operation. */
export const can: Command = {
  name: 'can',
  help: `Usage: gatehouse can SUBJECT OPERATION [ADAPTER]
       gatehouse can --roles ROLES OPERATION [ADAPTER]
       gatehouse can --claims FILE OPERATION [ADAPTER]

Explains step by step, from the configuration files, whether a caller may call an operation through an
adapter. Connects to nothing. Registered adapters and the active profile are known only to the running
server: ask GET /access/decision, or open the page "Access" of the console.

SUBJECT is a user, a client or the owner of a certificate in the configuration. OPERATION is a name such as
orchestrator-manager.restQuery, or restQuery. Without ADAPTER, prints the result for each adapter.

Options:
  --roles ROLES   roles of the caller after the role map, separated by commas, in place of SUBJECT
  --claims FILE   JSON payload of a token of the caller, in place of SUBJECT; its "iss" selects the issuer
  --method M      method of the request to the orchestrator, for example PATCH
  --path PATH     path of the request to the orchestrator
  --json          print the decision as JSON
${CONFIG_OPTION_HELP}

Exit codes: 0 every call in question is allowed, 1 denied, or allowed only for some methods, paths or
adapters, 2 wrong usage, 78 a fault of the configuration.`,
  async run(args, io) {
    try {
      return await explain(args, io);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      io.err(`gatehouse can: ${error.message}\nSee gatehouse can --help.\n`);
      return CAN.usage;
    }
  },
};

async function explain(args: readonly string[], io: CommandIo): Promise<number> {
  const { positionals, values } = parsePositionals(args, {
    roles: { type: 'string' },
    claims: { type: 'string' },
    method: { type: 'string' },
    path: { type: 'string' },
    json: { type: 'boolean', default: false },
    config: { type: 'string' },
  });
  const words = wordsOf(positionals, values.roles !== undefined || values.claims !== undefined);
  if (values.roles !== undefined && values.claims !== undefined)
    throw new UsageError('name --roles or --claims, not both');
  if (values.path !== undefined && !values.path.startsWith('/'))
    throw new UsageError('--path: write a path that starts with "/"');
  const loader = await createConfigLoader({ configPath: configPath(values.config, io.env), env: io.env });
  const { desired, faults } = await loader.readForStart();
  if (faults.length > 0) throw new ConfigError(faults);
  const settings = asSettings(desired.main.written.value);
  const directory = openAccess(() => ({ desired }), settings.release);
  const caller = await callerOf({ ...values, subject: words.subject }, settings, directory);
  for (const role of caller.roles.filter((one) => !directory.roles().includes(one)))
    io.err(`no rule or operation names the role "${role}"${didYouMean(role, directory.roles())}\n`);
  const explanation = explainAccess({
    caller,
    operation: operationOf(words.operation, directory),
    ...policiesOf(words.adapter, directory),
    method: values.method?.toUpperCase(),
    path: values.path,
  });
  io.out(values.json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation));
  return exitCodeOf(explanation);
}

function exitCodeOf({ result }: AccessExplanation): number {
  return result === 'allowed' ? CAN.allowed : CAN.denied;
}

interface Words {
  readonly subject?: string | undefined;
  readonly operation: string;
  readonly adapter?: string | undefined;
}

/** Returns the words of the command line. The subject is absent if an option describes the caller. */
function wordsOf(words: readonly string[], hasCaller: boolean): Words {
  const [subject, operation, adapter, ...more] = hasCaller ? [undefined, ...words] : words;
  if (more.length > 0) throw new UsageError(`there is one word too many: "${more[0]}"`);
  if (operation === undefined)
    throw new UsageError(
      hasCaller
        ? 'name an operation, for example: gatehouse can --roles viewer restQuery nso1'
        : 'name a subject and an operation, for example: gatehouse can ada restQuery nso1',
    );
  return { subject, operation, adapter };
}

interface CallerOptions {
  readonly subject: string | undefined;
  readonly roles?: string | undefined;
  readonly claims?: string | undefined;
}

async function callerOf(
  { subject, roles, claims }: CallerOptions,
  settings: Settings,
  directory: AccessDirectory,
): Promise<AccessCaller> {
  if (roles !== undefined) {
    const given = roles.split(',').map((role) => role.trim());
    return { source: 'roles', roles: given.filter((role) => role !== '') };
  }
  if (claims !== undefined) return callerOfClaims(await readClaimsFile(claims), settings);
  const caller = directory.callerOf(subject ?? '');
  if (caller) return caller;
  const suggestion = didYouMean(subject ?? '', directory.subjects());
  throw new UsageError(
    `"${subject ?? ''}" is no user, client or certificate of the configuration${suggestion}; for people of an identity provider use --claims or --roles`,
  );
}

async function readClaimsFile(file: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`--claims: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? ''})`);
  });
  let claims: unknown;
  try {
    claims = JSON.parse(text);
  } catch {
    claims = undefined;
  }
  if (isJsonObject(claims)) return claims;
  throw new UsageError(`--claims: ${file} is not a JSON object; write the decoded payload of a token`);
}

/** Returns the caller of a token with this payload, by the rules of its issuer. Verifies nothing. */
function callerOfClaims(claims: JsonObject, { auth: { issuers } }: Settings): AccessCaller {
  const { iss, sub } = claims;
  const names = issuers.map(({ issuer }) => issuer);
  const issuer = issuers.find((one) => one.issuer === iss) ?? (iss === undefined ? issuers[0] : undefined);
  if (!issuer || (iss === undefined && issuers.length > 1))
    throw new UsageError(
      issuers.length === 0
        ? '--claims: auth.issuers is empty, so no token of an identity provider is accepted'
        : `--claims: "iss" must be one of ${names.join(', ')}`,
    );
  const { roles, tokenRoles } = readRoles(claims, issuer);
  return {
    source: 'claims',
    roles,
    ...(tokenRoles && { tokenRoles }),
    ...(typeof sub === 'string' && { subject: sub }),
  };
}

function operationOf(name: string, directory: AccessDirectory) {
  const found = findOperation(name, directory.operations());
  if ('operation' in found) return found.operation;
  throw new UsageError(`"${name}" ${found.reason}`);
}

function policiesOf(adapterId: string | undefined, directory: AccessDirectory) {
  const policies = directory.policies();
  const all = { policies: [...policies.values()] };
  if (adapterId === undefined) return all;
  const adapter = policies.get(adapterId);
  if (adapter) return { ...all, adapter };
  const suggestion = didYouMean(adapterId, [...policies.keys()]);
  throw new UsageError(
    `the configuration files have no adapter "${adapterId}"${suggestion}; the running server knows registered adapters`,
  );
}

/** Returns a decision as text for people: the caller, each step with its rules, and the result. */
function explanationText(explanation: AccessExplanation): string {
  const { steps, adapters } = explanation;
  return [
    callerText(explanation),
    questionText(explanation),
    ...steps.map(stepText),
    ...(adapters ? [adaptersText(adapters)] : []),
    resultText(explanation),
  ].join('');
}

const SOURCES = {
  user: 'user of auth.local.users',
  client: 'client of auth.local.clients',
  certificate: 'owner of a certificate, auth.clientCertificates.roles',
  claims: 'claims of a token',
  roles: '--roles',
} as const;

function callerText({ caller }: AccessExplanation): string {
  const { subject, source, roles, tokenRoles } = caller;
  const from = tokenRoles ? `, from the names ${listText(tokenRoles)} of the token` : '';
  const name = subject === undefined ? '' : `${subject} `;
  return `caller     ${name}(${SOURCES[source]})\nroles      ${listText(roles)}${from}\n`;
}

function questionText({ operation, adapter, method, path }: AccessExplanation): string {
  const call = `${method ?? 'any method'}, ${path ?? 'any path'}`;
  return `operation  ${operation}\n${adapter === undefined ? '' : `call       through ${adapter}: ${call}\n`}\n`;
}

function stepText(step: ExplainedStep): string {
  const { check, result, outcomes, rules } = step;
  if (check === 'operation') {
    const { roles = [], isConfigured = false } = step;
    const accepted = typeof roles === 'string' ? WHO[roles] : listText(roles);
    return `${result.padEnd(8)} roles of the operation: ${accepted}${isConfigured ? ' (key roles)' : ''}\n`;
  }
  const title = check === 'global' ? 'rules of the main configuration' : 'rules of the adapter';
  if (outcomes.length === 0)
    return `${result.padEnd(8)} ${title}: ${check === 'global' ? 'none selects the adapter' : 'none'}\n`;
  const lines = outcomes.map((outcome, at) => `           ${outcomeText(outcome, rules[at])}\n`);
  return `${result.padEnd(8)} ${title}:\n${lines.join('')}`;
}

const WHO = { authenticated: 'every caller with a token', public: 'every caller' } as const;

const REASONS = {
  allowed: 'admits the call',
  denied: 'does not admit the call',
  depends: 'admits only some calls',
} as const;

function outcomeText({ rule, result, member }: RuleOutcome, written: GlobalAccessRule | undefined): string {
  const because = member === undefined ? '' : ` because of ${member}`;
  return `access/${rule} ${REASONS[result]}${because}: ${ruleText(written ?? {})}`;
}

/** Returns a rule in one line, as in YAML: `{ roles: [noc], methods: [GET] }`. */
function ruleText(rule: GlobalAccessRule): string {
  const members = Object.entries(rule).map(([key, values]) => `${key}: [${[values].flat().join(', ')}]`);
  return `{ ${members.join(', ')} }`;
}

function adaptersText(adapters: NonNullable<AccessExplanation['adapters']>): string {
  if (adapters.length === 0) return '\nThere are no adapters.\n';
  return `\n${formatTable([['ADAPTER', 'RESULT'], ...adapters.map(({ adapter, result }) => [adapter, result])])}`;
}

function resultText({ result, adapters, adapter, method, path }: AccessExplanation): string {
  if (result !== 'depends') return `\n${result}\n`;
  if (adapters && adapter === undefined && adapters.some((one) => one.result !== 'depends'))
    return '\ndepends on the adapter: name one\n';
  const missing = [...(method === undefined ? ['--method'] : []), ...(path === undefined ? ['--path'] : [])];
  if (missing.length === 0)
    return '\ndepends on the tags and the effect of the method, which the running server knows: ask GET /access/decision\n';
  return `\ndepends on the call: name ${missing.join(' and ')}\n`;
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? '(none)' : names.join(', ');
}
