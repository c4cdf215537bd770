import { randomUUID } from 'node:crypto';
import request from 'supertest';
import type { AuditRecord } from '../../src/core/audit.js';
import { bindApplication } from '../../src/core/operation.js';
import type { RequestError } from '../../src/core/problem.js';
import { createBindingGrants } from '../../src/features/forms/binding-grants.js';
import type { JsonFormsDeps } from '../../src/features/forms/deps.js';
import type { Form } from '../../src/features/forms/form-store.js';
import { createLargeForms } from '../../src/features/forms/index.js';
import { jsonForms } from '../../src/features/forms/operations.js';
import { openSchemaValidator } from '../../src/features/forms/schema-validator.js';
import { createRecordIds } from '../../src/features/lib/record-ids.js';
import { openStore } from '../../src/features/open-store.js';
import { openYang } from '../../src/features/yang-forms/index.js';
import { createApp } from '../../src/http/express-app.js';
import { createPipeline } from '../../src/http/pipeline.js';
import { createRefuse } from '../../src/http/write-response.js';
import { compileSchema } from '../../src/json-schema/compile.js';
import type { SchemaValidationResult } from '../../src/json-schema/validator-pool/schema-validator.js';
import { systemScheduler } from '../../src/lib/clock.js';
import { noteReply } from './documented-replies.js';
import { createFakeScheduler, type FakeScheduler } from './fake-scheduler.js';
import { memoryAudit } from './http-server.js';
import { type LogLine, memoryLog } from './memory-log.js';
import { YANG_LIMITS } from './yang-limits.js';

/** The form operations with a store in memory. The caller is ada, an admin. */
export interface FormsApi {
  call(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: unknown): Promise<FormsAnswer>;
  readonly clock: FakeScheduler;
  readonly records: readonly AuditRecord[];
  readonly lines: readonly LogLine[];
  readonly store: JsonFormsDeps['forms'];
  close(): Promise<void>;
}

/** All members that a reply of the forms API can have. */
interface FormsBody extends Form {
  readonly status: string | number;
  readonly n: number;
  readonly doc: Form;
  readonly message: string;
  readonly imported: readonly ImportReport[];
  readonly validation: SchemaValidationResult;
  readonly jsonSchema: { readonly properties: Readonly<Record<string, unknown>> };
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly RequestError[];
}

interface ImportReport {
  readonly success: boolean;
  readonly message: string;
  readonly original: Excerpt;
  readonly created: Excerpt | null;
}

interface Excerpt {
  readonly _id: string;
  readonly name: string;
}

/** An element of a list of forms, or of a history. */
interface ListedForm extends Form {
  readonly tags?: readonly unknown[];
  readonly revision: number;
  readonly form: Form;
}

interface FormsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON, when it is an object. */
  readonly body: FormsBody;
  /** The body as JSON, when it is a list. */
  readonly list: readonly ListedForm[];
}

const LIMITS = { maxBytes: 65_536, maxForms: 100_000, maxVersions: 3 };
const BODY_BYTES = 262_144;

/** Opens the form operations; `change` replaces dependencies. */
export async function openFormsApi(change: Partial<JsonFormsDeps> = {}): Promise<FormsApi> {
  const { log, lines } = memoryLog();
  const { audit, records } = memoryAudit();
  const clock = createFakeScheduler();
  const store = await openStore('sqlite::memory:');
  const { yangModels } = store;
  const validator = openSchemaValidator({ yangModels, maxBytes: BODY_BYTES, validateTimeoutMs: 20_000, validateMemoryMb: 128, scheduler: systemScheduler }); // prettier-ignore
  const yang = openYang({ yangPath: [], yang: YANG_LIMITS }, { models: yangModels, now: () => 0 });
  const own = { log, clock, newId: randomUUID };
  const now = (): number => clock.now();
  const deps: JsonFormsDeps = {
    forms: store.forms,
    largeForms: createLargeForms(store.forms),
    formLimits: () => LIMITS,
    validator,
    yang,
    compile: compileSchema,
    grants: createBindingGrants({ requireQueryRole: () => undefined, logins: () => ({ rolesOf: () => undefined }), clock }), // prettier-ignore
    newFormId: createRecordIds({ now }),
    now,
    ...change,
  };
  const serve = createPipeline({
    ...own,
    audit,
    authenticate: () => ({ subject: 'ada', issuer: 'https://idp.test', roles: ['admin'], expiresAt: 4e9 }),
    rolesOf: ({ row: { roles } }) => roles,
    compile: compileSchema,
    bodyBytes: BODY_BYTES,
    bodyValues: 10_000,
  });
  const handler = createApp({
    operations: bindApplication(jsonForms, deps),
    serve,
    refuse: createRefuse(own),
  });
  return {
    clock,
    records,
    lines,
    store: store.forms,
    async call(method, path, body) {
      const asked = request(handler)[method](`/json-forms${path}`);
      if (typeof body === 'string') asked.set('content-type', 'application/json');
      const answer = toAnswer(await (body === undefined ? asked : asked.send(body as object)));
      noteReply({ ...answer, method: method.toUpperCase(), url: `/json-forms${path}` });
      return answer;
    },
    async close() {
      await validator.close();
      await store.close();
    },
  };
}

function toAnswer({ status, headers, text }: request.Response): FormsAnswer {
  const json: unknown = JSON.parse(text);
  return {
    status,
    headers,
    text,
    body: json as FormsBody,
    list: json as ListedForm[],
  };
}
