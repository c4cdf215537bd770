import { pointerTokens } from '../../../../src/json/pointer.js';
import { formatDuration, formatList } from '../../kit/numbers.js';
import { formatSize } from '../../text/locale.js';
import { type KeyOf, textOf } from '../../text/text.js';
import { type AuditRecord, outcomeOf, type RecordChange } from './record.js';

const text = textOf('sentences');

type Key = KeyOf<'sentences'>;
type NounOf<One> = One extends `the.${infer Name}` ? Name : never;
type Noun = NounOf<Key>;
type Act = readonly [
  verb: Exclude<Key, `the.${string}` | `difference.${string}` | 'with' | 'yes' | 'no'>,
  noun?: Noun,
];

/** What each audited operation did: a verb, and what it concerned. */
export const ACTS: Readonly<Record<string, Act>> = {
  ...actsOn('adapter', {
    'adapters.createAdapter': 'created',
    'adapters.importAdapter': 'imported',
    'adapters.updateAdapter': 'changed',
    'adapters.updateAdapterProperties': 'changed',
    'adapters.deleteAdapter': 'deleted',
    'adapters.startAdapter': 'started',
    'adapters.stopAdapter': 'stopped',
    'adapters.restartAdapter': 'restarted',
    'adapters.suspendAdapter': 'suspended',
    'adapters.endSuspension': 'endSuspension',
    'adapters.beginSuspension': 'beginSuspension',
    'adapters.confirmAdapterChange': 'confirmed',
    'adapters.cancelAdapterChange': 'canceled',
    'adapters.revertUnconfirmed': 'reverted',
    'adapters.rollbackAdapter': 'rolledBack',
    'deprecations.deleteServiceConfig': 'deleted',
    'deprecations.deleteProvider': 'deleted',
    'deprecations.createServiceConfig': 'created',
    'deprecations.putProvider': 'changed',
  }),
  ...actsOn('connection', {
    'adapters.testAdapterConnection': 'tested',
    'adapters.testSavedAdapterConnection': 'tested',
    'console.testAdapter': 'tested',
  }),
  ...actsOn('logLevel', {
    'adapters.updateAdapterLogging': 'changed',
    'applications.updateApplicationLogging': 'changed',
    'deprecations.setModuleLogging': 'changed',
  }),
  'adapters.cancelScheduledSuspension': ['deleted', 'schedule'],
  'adapters.deleteAdapterCache': ['deleted', 'cache'],
  ...actsOn('application', {
    'applications.updateApplication': 'changed',
    'applications.updateApplicationProperties': 'changed',
    'applications.startApplication': 'started',
    'applications.stopApplication': 'stopped',
    'applications.restartApplication': 'restarted',
  }),
  ...actsOn('component', {
    'deprecations.stopModule': 'stopped',
    'deprecations.startModule': 'started',
    'deprecations.loadModule': 'started',
    'deprecations.restartModule': 'restarted',
    'deprecations.saveServiceConfig': 'changed',
  }),
  ...actsOn('profile', {
    'profiles.createProfile': 'created',
    'profiles.importProfile': 'imported',
    'profiles.updateProfile': 'changed',
    'profiles.switchActiveProfile': 'activated',
    'profiles.deleteProfile': 'deleted',
    'profiles.confirmProfileChange': 'confirmed',
    'profiles.cancelProfileChange': 'canceled',
    'profiles.revertUnconfirmed': 'reverted',
    'profiles.rollbackProfile': 'rolledBack',
    'deprecations.deleteConfigProfile': 'deleted',
    'deprecations.addConfigProfile': 'created',
    'deprecations.changeConfigProfile': 'activated',
    'deprecations.newProperty': 'changed',
    'deprecations.updateProperty': 'changed',
  }),
  ...actsOn('accessRule', {
    'access-rules.putAccessRule': 'changed',
    'access-rules.deleteAccessRule': 'deleted',
    'access-rules.rollbackAccessRule': 'rolledBack',
  }),
  ...actsOn('limit', {
    'limits.putLimitRule': 'changed',
    'limits.deleteLimitRule': 'deleted',
    'limits.rollbackLimitRule': 'rolledBack',
  }),
  'json-forms.createForm': ['created', 'form'],
  'json-forms.updateForm': ['changed', 'form'],
  'json-forms.deleteForms': ['deleted', 'forms'],
  'json-forms.importForms': ['imported', 'forms'],
  'json-forms.yangToSchema': ['converted', 'yang'],
  ...actsOn('aTask', {
    'tasks.showJsonForm': 'opened',
    'tasks.renderJsonSchema': 'opened',
    'tasks.renderYangForm': 'opened',
  }),
  'tasks.saveTaskDraft': ['saved', 'task'],
  'tasks.finishTask': ['finished', 'task'],
  'tasks.getTaskChoices': ['read', 'choices'],
  ...actsOn('orchestrator', {
    'orchestrator-manager.restAction': 'sent',
    'orchestrator-manager.restQuery': 'sent',
    'adapters.callAdapterMethod': 'sent',
    'proxy.passThrough': 'sent',
  }),
  'tools.restCall': ['called'],
  'login.login': ['signedIn'],
  'login.openSession': ['signedIn'],
  'login.renewSession': ['signedIn'],
  'login.finishSignIn': ['signedIn'],
  'login.closeSession': ['signedOut'],
  'login.getToken': ['gotToken'],
  'login.backChannelLogout': ['endedSessions'],
  'platform.refreshSecrets': ['refreshed', 'secrets'],
  'deprecations.updateProviderSchemas': ['refreshed', 'settings'],
  'audit.getAudit': ['read', 'trail'],
  'audit.exportAuditCsv': ['exported', 'trail'],
  'audit.exportAuditJsonLines': ['exported', 'trail'],
  'audit.startVerification': ['verified', 'trail'],
  'audit.begin': ['trail.begin'],
  'audit.torn': ['trail.torn'],
  'audit.verify': ['trail.verify'],
  'audit.resume': ['trail.resume'],
  'console.getRequest': ['read', 'requestOf'],
  'console.testSecret': ['tested', 'reference'],
  'console.getVaultPaths': ['read', 'vault'],
  'notifications.testNotificationReceiver': ['tested', 'receiver'],
  'notifications.createMute': ['created', 'mute'],
  'notifications.deleteMute': ['deleted', 'mute'],
  'notifications.acknowledgeProblem': ['acknowledged', 'problem'],
  'notifications.withdrawAcknowledgement': ['withdrew', 'problem'],
};

function actsOn(noun: Noun, verbs: Readonly<Record<string, Act[0]>>): Readonly<Record<string, Act>> {
  return Object.fromEntries(
    Object.entries(verbs).map(([operation, verb]) => [operation, [verb, noun] as const]),
  );
}

/**
 * Returns what a record says after the name of the caller, as one sentence: `changed the adapter nso1: timeouts.total 5 s to
 * 10 s`. A call that had no effect was only tried.
 */
export function sentenceOf(record: AuditRecord, change?: RecordChange): string {
  const sentence = actText(record);
  if (!change || change.differences.length === 0) return sentence;
  const { differences, left } = change;
  const shown = differences.slice(0, MAX_DIFFERENCES);
  const count = differences.length - shown.length + left;
  const parts = [...shown.map(differenceText), ...(count === 0 ? [] : [text('difference.more', { count })])];
  return text('with', { sentence, changes: parts.join(', ') });
}

function actText(record: AuditRecord): string {
  const { operation, target } = record;
  const [act, noun] = ACTS[operation] ?? (['called'] as const);
  const [path = '', call = ''] = target.split(/ (.*)/);
  return text(act === 'changed' && isCreation(record) ? 'created' : act, {
    done: outcomeOf(record) === 'done' ? 'yes' : 'no',
    what: noun === undefined ? '' : text(`the.${noun}`, { name: nameIn(path, call) }),
    call: call === '' ? operation : call,
  });
}

/** Returns true for a record of something that did not exist before: a rule is created and changed by the same operation. */
function isCreation({ before, after = '' }: AuditRecord): boolean {
  return before === '' && after !== '';
}

/** Number of differences in a sentence; the others are in the record. */
const MAX_DIFFERENCES = 3;

/** Segments of paths that the name of an object follows. */
const BEFORE_NAME =
  /^(?:adapters|applications?|profiles|rules|limits|forms|tasks|receivers|requests|restQuery|restAction|proxy|providers|delete|start|stop|restart)$/;

/** Returns the name of the object: from the path, else from what the operation says about its target. */
function nameIn(path: string, call: string): string {
  const segments = path.split('/');
  const at = segments.findIndex(
    (segment, index) => BEFORE_NAME.test(segment) && segments[index + 1] !== undefined,
  );
  const name = at === -1 ? undefined : segments[at + 1];
  if (name === undefined || name === 'import') return call;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns a difference in words: `timeouts.total 5 s to 10 s`. */
function differenceText({ pointer, kind, before, after }: RecordChange['differences'][number]): string {
  const names = pointerTokens(pointer).filter((name, at) => !(name === 'properties' && at < 2));
  const path = names.join('.');
  const isNumber = typeof (after ?? before) === 'number';
  const unit = isNumber ? UNITS.find(({ ending }) => path.endsWith(ending)) : undefined;
  const setting = unit ? path.slice(0, -unit.ending.length) : path;
  if (kind === 'removed') return text('difference.removed', { setting });
  if (after === undefined) return text('difference.long', { setting });
  const values = { setting, after: valueText(after, unit) };
  return kind === 'added'
    ? text('difference.added', values)
    : text('difference.changed', { ...values, before: valueText(before, unit) });
}

interface Unit {
  readonly ending: string;
  readonly format: (value: number) => string;
}

/** Units at the ends of the names of settings. */
const UNITS: readonly Unit[] = [
  { ending: 'Ms', format: formatDuration },
  { ending: 'Seconds', format: (value) => formatDuration(value * 1000) },
  { ending: 'Bytes', format: formatSize },
];

function valueText(value: unknown, unit: Unit | undefined): string {
  if (typeof value === 'number' && unit) return unit.format(value);
  if (typeof value === 'boolean') return text(value ? 'yes' : 'no');
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string') && value.length > 0)
    return formatList(value);
  return JSON.stringify(value);
}
