import type { RuleOutcome } from '../core/access-decision.js';
import type { GlobalAccessRule } from '../core/access-policy.js';
import type { AccessExplanation, ExplainedStep } from '../features/access/access-explanation.js';
import { formatTable } from './command.js';

/** Returns a decision as text for people: the caller, each step with its rules, and the result. */
export function explanationText(explanation: AccessExplanation): string {
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
