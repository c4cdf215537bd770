/** A failed check of schemathesis that is no fault. The test fails for an entry that no longer occurs. */
export interface AcceptedFailure {
  readonly check: string;
  /** Method and path of the operation; `*` for all operations. */
  readonly operation: string;
  /** Status and problem code of the response. */
  readonly answer: string;
  readonly reason: string;
  /** Accepts the failure only for requests like this; the text has the method, the URI, the body and the response. */
  readonly exchange?: RegExp;
  /**
   * Set if only random data causes the failure, so that a run may not contain it. The test sends these requests
   * itself, and the last response must be the answer.
   */
  readonly requests?: readonly ProofRequest[];
}

/** A request of an administrator. */
export interface ProofRequest {
  readonly method: string;
  /** `{id}` is the `id` of the response before, or of its member `doc`. */
  readonly path: string;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Describes valid data that an operation refuses. */
function refusesValid(operation: string, answer: string, reason: string): AcceptedFailure {
  return { check: 'positive_data_acceptance', operation, answer, reason };
}

const OUTCOME = 'POST /json-forms/tasks/{id}/outcome';
const NO_TAG = 'The value of If-Match is not the entity tag of the task.';
const TASK_RULES =
  'The rules of a task go beyond a schema: origins of returnTo, an assignee, existing modules.';
const EMPTY_IS_ABSENT =
  'An empty number counts as absent, because programs send templates with empty values.';
const SAME_PATH = 'The path is also the path of the object with this name, which has these methods.';

/** Paths of lists with the query parameters limit and skip. */
const LIST_PATHS = [
  '/access/adapters',
  '/access/operations',
  '/adapters',
  '/application',
  '/applications',
  '/audit',
  '/console/calls',
  '/console/log',
  '/health/adapters',
  '/health/applications',
  '/json-forms/forms',
  '/json-forms/tasks',
  '/profiles',
];

/** An empty value of a parameter that is a number or an order. */
const EMPTY_NUMBER = /[?&](?:limit|skip|order|after)=(?:[&\s]|$)/;

const PLUGIN_RULES = 'The model must be an installed plugin, and the settings must be valid for it.';

const NEW_ADAPTER: ProofRequest = {
  method: 'POST',
  path: '/adapters',
  text: '{"properties":{"name":"lab8","model":"restconf","properties":{"properties":{"baseUrl":"http://127.0.0.1:9"}}}}',
};

export const ACCEPTED_FAILURES: readonly AcceptedFailure[] = [
  ...['/adapters/import', '/adapters/connection-test', '/profiles/import', '/json-forms/forms/import'].map(
    (path) => ({
      check: 'allow_header_conformance',
      operation: `POST ${path}`,
      answer: '405 method_not_allowed',
      reason: SAME_PATH,
    }),
  ),
  {
    check: 'negative_data_rejection',
    operation: 'GET /console/oidc/begin',
    answer: '303',
    reason: 'The browser of a person is sent to the sign-in page, also for an invalid link.',
  },
  {
    check: 'negative_data_rejection',
    operation: 'POST /json-forms/validate-form/{id}',
    answer: '200',
    reason:
      'Clients of the platform expect 200 with the status 404 in the body for a form that does not exist.',
    exchange: /"status":404/,
  },
  {
    check: 'not_a_server_error',
    operation: 'POST /tools/restCall',
    answer: '502 upstream_unreachable',
    reason: 'The network namespace has no host of the examples, and 502 is documented.',
  },
  refusesValid('GET /audit', '400 invalid_request', 'A cursor is a value of an earlier page.'),
  {
    ...refusesValid(
      'GET /access/decision',
      '400 invalid_request',
      'The subject and the operation are names that the server knows.',
    ),
    requests: [{ method: 'GET', path: '/access/decision?operation=none&roles=admin' }],
  },
  {
    ...refusesValid(
      'POST /notifications/mutes',
      '400 invalid_request',
      'The kind decides which names are valid.',
    ),
    requests: [
      {
        method: 'POST',
        path: '/notifications/mutes',
        text: '{"kind":"code","name":"no code","minutes":5,"reason":"test"}',
      },
    ],
  },
  ...['/adapters', '/adapters/import', '/adapters/connection-test'].map((path) => ({
    ...refusesValid(`POST ${path}`, '400 invalid_request', PLUGIN_RULES),
    requests: [
      { method: 'POST', path, text: '{"properties":{"name":"lab9","model":"none","properties":{}}}' },
    ],
  })),
  ...['', '/properties'].map((path) => ({
    ...refusesValid(`PUT /adapters/{name}${path}`, '400 invalid_request', PLUGIN_RULES),
    requests: [
      NEW_ADAPTER,
      {
        method: 'PUT',
        path: `/adapters/lab8${path}`,
        text:
          path === ''
            ? '{"properties":{"properties":{"properties":{"baseUrl":"none"}}}}'
            : '{"properties":{"id":"lab8","type":"restconf","properties":{}}}',
      },
    ],
  })),
  ...['PUT /adapters/{name}', 'PUT /adapters/{name}/properties', 'DELETE /adapters/{name}'].map(
    (operation) => ({
      ...refusesValid(
        operation,
        '412 precondition_failed',
        'The value of If-Match is not the entity tag of the adapter.',
      ),
      requests: [
        NEW_ADAPTER,
        {
          method: operation.split(' ')[0] ?? '',
          path: operation.split(' ')[1]?.replace('{name}', 'lab8') ?? '',
          headers: { 'if-match': '"0"' },
          ...(operation.startsWith('PUT') && { text: '{"properties":{}}' }),
        },
      ],
    }),
  ),
  ...['/profiles', '/profiles/import'].map((path) => ({
    ...refusesValid(`POST ${path}`, '400 invalid_request', 'The id of a profile has no control characters.'),
    requests: [{ method: 'POST', path, text: '{"properties":{"id":"a\\u0007"}}' }],
  })),
  {
    check: 'not_a_server_error',
    operation: '*',
    answer: '503 adapter_unavailable',
    reason: 'An earlier request has stopped the adapter, or it has no valid settings; 503 is documented.',
    requests: [
      { method: 'PUT', path: '/adapters/core1/stop' },
      {
        method: 'POST',
        path: '/orchestrator_manager/restQuery/core1',
        text: '{"params":{"path":"/","accept":"a/b"}}',
      },
    ],
  },
  ...['/json-forms/yangToSchema', '/json-forms/task/RenderYangForm'].map((path) => ({
    ...refusesValid(`POST ${path}`, '400 invalid_request', 'The member mount needs an adapterId.'),
    requests: [
      {
        method: 'POST',
        path,
        text: JSON.stringify({
          yangData: ['module a { namespace "urn:a"; prefix a; }'],
          mount: '/data',
          ...(path.endsWith('Form') && { module: 'a' }),
        }),
      },
    ],
  })),
  refusesValid(
    'POST /console/oidc/back-channel-logout',
    '400 logout_token_invalid',
    'No schema describes a token that an identity provider signed.',
  ),
  {
    ...refusesValid(
      'GET /console/vault/paths',
      '400 invalid_request',
      'The path follows the rules of references, and is in the scope of the adapter.',
    ),
    requests: [{ method: 'GET', path: '/console/vault/paths?adapter=lab1&path=%C2%A8' }],
  },
  {
    ...refusesValid(
      'GET /json-forms/tasks/{id}/subtrees',
      '400 invalid_request',
      'The schema of the task must be large, and the pointer must lead to one of its objects.',
    ),
    requests: [
      { method: 'POST', path: '/json-forms/task/RenderJsonSchema', text: '{"jsonSchema":true}' },
      { method: 'GET', path: '/json-forms/tasks/{id}/subtrees?pointer=/properties/a' },
    ],
  },
  {
    ...refusesValid(
      'GET /json-forms/forms/{id}/subtrees',
      '400 invalid_request',
      'The schema of the form must be shown in parts, and the pointer must lead to one of its objects.',
    ),
    requests: [
      { method: 'POST', path: '/json-forms/forms', text: '{"name":"Parts","schema":{}}' },
      { method: 'GET', path: '/json-forms/forms/{id}/subtrees?pointer=/properties/a' },
    ],
  },
  {
    ...refusesValid(
      'GET /json-forms/tasks',
      '400 invalid_request',
      'The parameter order has no meaning with sort=own.',
    ),
    requests: [{ method: 'GET', path: '/json-forms/tasks?sort=own&order=1' }],
  },
  refusesValid(
    'POST /json-forms/tasks/{id}/choices',
    '400 invalid_request',
    'The field must have a binding.',
  ),
  {
    ...refusesValid(
      'GET /console/traffic',
      '400 invalid_request',
      'The parameters from and to come together.',
    ),
    requests: [{ method: 'GET', path: '/console/traffic?to=2026-01-01T00:00:00Z' }],
  },
  ...['/console/calls', '/console/traffic'].map((path) => ({
    check: 'negative_data_rejection',
    operation: `GET ${path}`,
    answer: '200',
    reason: EMPTY_IS_ABSENT,
    exchange: /[?&](?:from|to|span|limit|status)=(?:[&\s]|$)/,
    requests: [{ method: 'GET', path: `${path}?from=` }],
  })),
  ...['PUT /profiles/{id}/active', 'DELETE /profiles/{id}'].map((operation) => ({
    check: 'negative_data_rejection',
    operation,
    answer: '412 precondition_failed',
    reason: 'If-Match is compared before the other parameters are read.',
    requests: [
      { method: 'POST', path: '/profiles', text: '{"properties":{"id":"p8"}}' },
      {
        method: operation.split(' ')[0] ?? '',
        path: operation.split(' ')[1]?.replace('{id}', 'p8') ?? '',
        headers: { 'if-match': '"0"' },
      },
    ],
  })),
  refusesValid('POST /console/secrets/test', '400 invalid_request', 'The reference must be in use.'),
  refusesValid('POST /json-forms/decode', '400 schema_invalid', 'Each bound property must be in the schema.'),
  refusesValid('POST /json-forms/task/RenderJsonSchema', '400 invalid_request', TASK_RULES),
  refusesValid('POST /json-forms/task/ShowJsonForm', '400 invalid_request', TASK_RULES),
  refusesValid(OUTCOME, '400 invalid_request', 'A rejection needs a reason, and an approval needs data.'),
  {
    ...refusesValid(OUTCOME, '412 precondition_failed', NO_TAG),
    requests: [
      { method: 'POST', path: '/json-forms/task/RenderJsonSchema', text: '{"jsonSchema":true}' },
      {
        method: 'POST',
        path: '/json-forms/tasks/{id}/outcome',
        headers: { 'if-match': '"0"' },
        text: '{"outcome":"rejected","reason":"none"}',
      },
    ],
  },
  refusesValid(OUTCOME, '422 form_data_invalid', 'The data must be valid for the form of the task.'),
  refusesValid('PUT /json-forms/tasks/{id}/draft', '412 precondition_failed', NO_TAG),
  refusesValid(
    'POST /oauth/token',
    '400 invalid_grant_request',
    'The credentials may be in a header or in the body.',
  ),
  ...['PUT /profiles/{id}', 'PUT /profiles/{id}/active', 'DELETE /profiles/{id}'].map((operation) =>
    refusesValid(
      operation,
      '412 precondition_failed',
      'The value of If-Match is not the entity tag of the profile.',
    ),
  ),
  refusesValid('POST /tools/restCall', '400 invalid_uri', 'The rules of a URI go beyond its pattern.'),
  {
    ...refusesValid('*', '400 invalid_json', 'JSON Schema does not limit the digits of a number.'),
    requests: [
      { method: 'POST', path: '/json-forms/validate-data', text: '{"jsonSchema":true,"formData":1e999}' },
    ],
  },
  {
    ...refusesValid('*', '400 yang_invalid', 'No schema describes the text of a YANG module.'),
    requests: [{ method: 'POST', path: '/json-forms/yangToSchema', text: '{"yangData":["0"]}' }],
  },
  {
    ...refusesValid('*', '422 schema_too_costly', 'The cost of a schema depends on its references.'),
    requests: [
      {
        method: 'POST',
        path: '/json-forms/decode',
        text: `{"jsonSchema":{"enum":[${'0,'.repeat(100_000)}0],"allOf":[${'{},'.repeat(100_000)}{}]}}`,
      },
    ],
  },
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({
    ...refusesValid(
      `${method} /proxy/{adapterId}/{path}`,
      '400 malformed_request',
      'The path of /proxy is any text without control characters.',
    ),
    requests: [{ method, path: '/proxy/core1/%01' }],
  })),
  {
    ...refusesValid(
      'HEAD /proxy/{adapterId}/{path}',
      '400',
      'The same as malformed_request, without a body.',
    ),
    requests: [{ method: 'HEAD', path: '/proxy/core1/%01' }],
  },
  ...['/json-forms/import/forms', '/json-forms/forms/import'].map((path) => ({
    ...refusesValid(`POST ${path}`, '400 invalid_request', 'The handler validates each form as a new form.'),
    requests: [{ method: 'POST', path, text: '{"forms":[{}]}' }],
  })),
  ...LIST_PATHS.map((path) => ({
    check: 'negative_data_rejection',
    operation: `GET ${path}`,
    answer: '200',
    reason: EMPTY_IS_ABSENT,
    exchange: EMPTY_NUMBER,
    requests: [{ method: 'GET', path: `${path}?limit=` }],
  })),
  {
    check: 'negative_data_rejection',
    operation: 'GET /adapters/{name}/methods',
    answer: '200',
    reason: EMPTY_IS_ABSENT,
    exchange: EMPTY_NUMBER,
    requests: [
      { method: 'PUT', path: '/adapters/core1/start' },
      { method: 'GET', path: '/adapters/core1/methods?limit=' },
    ],
  },
  {
    check: 'negative_data_rejection',
    operation: 'GET /console/traffic',
    answer: '200',
    reason: EMPTY_IS_ABSENT,
    exchange: EMPTY_NUMBER,
    requests: [{ method: 'GET', path: '/console/traffic?limit=' }],
  },
  {
    check: 'negative_data_rejection',
    operation: '*',
    answer: '414 uri_too_long',
    reason: 'The server refuses the request by its length.',
    requests: [{ method: 'GET', path: `/audit?subject=${'x'.repeat(10_000)}` }],
  },
  {
    check: 'negative_data_rejection',
    operation: '*',
    answer: '431 malformed_request',
    reason: 'The server refuses the request by its length.',
    requests: [{ method: 'GET', path: `/audit?subject=${'x'.repeat(20_000)}` }],
  },
  {
    check: 'negative_data_rejection',
    operation: '*',
    answer: '413 body_too_large',
    reason: 'The server refuses the request by its length.',
    requests: [{ method: 'POST', path: '/login', text: JSON.stringify({ username: 'x'.repeat(20_000) }) }],
  },
  {
    check: 'not_a_server_error',
    operation: '*',
    answer: '503 application_stopped',
    reason: 'An earlier request has stopped the application, and 503 is documented.',
    requests: [
      { method: 'PUT', path: '/applications/OrchestratorManager/stop' },
      {
        method: 'POST',
        path: '/orchestrator_manager/restQuery/core1',
        text: '{"params":{"path":"/","accept":"a/b"}}',
      },
    ],
  },
];
