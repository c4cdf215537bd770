import type { ProblemCode } from '../../../src/core/problem-codes.js';
import type { ProblemMeaning } from './problem-meanings.js';

const records = {
  adapter_not_found: {
    meaning: 'No adapter has this name.',
    advice: 'Operators: compare the name with the files in `config/adapters/`.',
  },
  adapter_in_file: { meaning: 'The adapter is defined in a file, so the API cannot change it.' },
  adapter_method_not_found: {
    meaning:
      'The adapter has no method of this name that can be called, or its plugin has no methods. `detail` names the most similar method.',
    advice: 'Use restQuery, restAction or the pass-through for an adapter without methods.',
  },
  application_not_found: { meaning: 'No application has this name.' },
  profile_not_found: { meaning: 'No profile has this id.' },
  version_not_found: {
    meaning:
      'The adapter or the profile has no version of this revision, or the version is no longer stored.',
  },
  name_taken: { meaning: 'Another adapter or profile has this name.' },
  confirmation_pending: {
    meaning:
      'Another person changed the adapter or the profile with `confirmWithin`, and the change is neither confirmed nor undone.',
    advice: 'Use `POST .../confirm` or `POST .../cancel`, or wait until the change is undone.',
  },
  nothing_to_confirm: {
    meaning:
      'No change of the adapter or the profile waits for a confirmation: it was confirmed, canceled or undone.',
  },
  profile_active: { meaning: 'The active profile cannot be deleted.' },
  operation_removed: {
    meaning: 'The release of the server (key `release`) does not have the operation. Nothing was done.',
    advice: 'The header `Link` has the replacement too. See [Deprecated operations](deprecations.md).',
  },
  precondition_failed: {
    meaning: 'The revision in `If-Match` is not the current revision of the adapter or the profile.',
  },
  not_taken_up: {
    meaning:
      'The change is stored, but another error, for example of the active profile, prevents that it takes effect.',
  },
  receiver_not_found: { meaning: 'The configuration has no receiver of notifications with this name.' },
  mute_not_found: { meaning: 'No mute has this id, or the mute has ended.' },
  problem_not_found: { meaning: 'No current problem has this id; it may be solved.' },
  notification_failed: {
    meaning: 'The receiver of a test message did not accept it. `detail` has the reason.',
    advice: 'Correct the key `notifications`, or the mail server or web server.',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

const adapters = {
  adapter_unavailable: {
    meaning:
      'The adapter is configured, but does not serve calls: it is disabled, its plugin rejected its options, or it has not started, because its orchestrator does not answer, rejects the credentials or has no RESTCONF root, or its start takes longer than 15 seconds. Or the worker of a community adapter ended during the call. `detail` names the cause.',
    advice:
      'Every call tries to start an adapter that has not started. If a worker ended, the request may have been sent: check the orchestrator before you send a change again.',
  },
  adapter_suspended: {
    meaning:
      'An operator suspended the adapter. It rejects calls, or the call waited as long as the `queue` of the adapter allows.',
  },
  application_stopped: { meaning: 'An operator stopped the application of the operation.' },
  adapter_secret_unavailable: {
    meaning:
      'A secret of the adapter could not be read when the configuration was loaded. Other adapters serve calls. `detail` has the [code](secret-errors.md) and the location of the reference.',
  },
  adapter_forbidden: {
    meaning:
      'The adapter has access rules, and none of them admits this method at this path for the roles of the caller. Nothing was sent.',
    advice: 'Rules compare the path as the caller writes it: percent-encode only what must be encoded.',
  },
  proxy_not_supported: {
    meaning:
      'The plugin of the adapter sends complete requests, as `itential-adapter` does, and cannot relay streams. `netconf` supports only event streams. Nothing was sent.',
  },
  stub_missing: { meaning: 'The adapter is in stub mode, and has no readable recording of this call.' },
  plugin_failed: {
    meaning:
      'A function of the plugin threw an error, returned something else than requests, or set a header that only gatehouse may set. `detail` names the function and, for an error, the file and the line. If it names `shape`, the orchestrator has carried out the query.',
  },
  vault_unavailable: {
    meaning:
      'The request contains a secret in plain text, and Vault does not answer. The adapter was not changed.',
  },
  vault_refused: {
    meaning:
      'The request contains a secret in plain text, and Vault rejected it. The adapter was not changed. `detail` has the [code](secret-errors.md).',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

const orchestrators = {
  upstream_busy: {
    meaning:
      'The maximum number of concurrent calls to the orchestrator is reached, and the queue is full or the call waited too long. For a stream: too many streams of all callers, or of this caller, are open. Nothing was sent.',
    advice: 'Operators: the key `queue` of the adapter has the limits.',
  },
  upstream_suspended: {
    meaning:
      'The orchestrator failed several times in a row, and the circuit breaker is open. Nothing was sent.',
    advice: 'If this lasts, check the orchestrator.',
  },
  upstream_rejected: {
    meaning:
      'The orchestrator rejected the query (restQuery only). The path or the value of `accept` is often wrong.',
    statuses: '400, or the 4xx status of the orchestrator',
  },
  upstream_failed: {
    meaning: 'The orchestrator answered a query with a status of 500 or above, or with a redirect.',
    advice: 'For a redirect, use the path of its target.',
  },
  upstream_auth: {
    meaning:
      "The orchestrator answered a query with 401, 403 or 407: it rejected the adapter's credentials, not those of the caller. Or it answered with its login page, or the login of the adapter failed.",
    advice: 'Operators: check `auth` of the adapter, and the permissions of its user at the orchestrator.',
  },
  upstream_unreachable: {
    meaning:
      'There is no connection: the name is unknown, the port is closed, TLS failed, or the target closed the connection without a reply. In the last case it may have received the request. `detail` names the cause.',
    advice:
      'For TLS, `recommendation` names the setting to change and the command that shows the certificate.',
  },
  upstream_bad_reply: {
    meaning:
      'The reply is not complete and valid HTTP, its headers are larger than 64 KiB (16 KiB in the pass-through), or its text does not have the declared character set. Or a restCall got a content coding that it did not ask for.',
  },
  upstream_too_large: {
    meaning: 'The reply is larger than `replyBytes` of the adapter or `egress.maxReplyBytes`.',
    advice: 'Use a deeper path, or a query that limits the reply.',
  },
  upstream_timeout: {
    meaning: 'The reply was not complete in time. The request may have been carried out.',
    advice:
      'Check the target before you send a change again. The keys are `timeouts` and `egress.timeoutMs`.',
  },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

const server = {
  egress_busy: {
    meaning:
      'Too many restCalls of all callers are running, or their replies could exceed `egress.memoryBytes`.',
  },
  overloaded: {
    meaning: 'The server [rejects calls under overload](../explanation/overload.md).',
    advice: 'Requests that change state may be sent again as well.',
  },
  not_ready: {
    meaning:
      'The response of `/readyz` while a secret in use has expired or is older than `vault.refresh.maxStaleSeconds`, the audit trail cannot store records, an overload lasts, or the server stops. Also the response of a task page if the pages are not built.',
  },
  store_unavailable: {
    meaning:
      'The database cannot be reached, does not answer, is read-only or fails. A change may have been carried out or not.',
    advice: 'A form that is created again under its name never exists twice.',
  },
  store_full: { meaning: 'The database has no space left. Nothing was changed.' },
  audit_unavailable: {
    meaning:
      'The audit trail cannot be written, and a call without a record is not carried out. `detail` says whether nothing was done, or whether the call was carried out but not recorded.',
    advice: 'In the second case, check the effect before you call again.',
  },
  too_many_listeners: { meaning: 'A hundred clients are subscribed to `/console/events`.' },
  internal: { meaning: 'An error in gatehouse.' },
} satisfies Partial<Record<ProblemCode, ProblemMeaning>>;

export const MEANINGS_OF_SERVER = { records, adapters, orchestrators, server };
