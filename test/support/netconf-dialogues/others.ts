import { BASE_1_0, BASE_1_1, type Dialogue, helloOf, moduleText, reply, XMLNS } from './dialogue.js';

const SROS = { name: 'nokia-conf', namespace: 'urn:nokia.com:sros:ns:yang:sr:conf' };
const VRP = { name: 'huawei-system', namespace: 'urn:huawei:yang:huawei-system' };
const ACME = { name: 'acme-system', namespace: 'urn:acme:system' };

const schemaOf = ({ name, namespace }: typeof ACME) => ({ [name]: moduleText(name, namespace) });
const pathIn = ({ name }: typeof ACME, node = 'location') => `/restconf/data/${name}:system/${node}`;
const data = ({ namespace }: typeof ACME, location: string): string =>
  `<data><system xmlns="${namespace}"><location>${location}</location></system></data>`;
const read = (module: typeof ACME, location: string) => ({
  call: `GET ${pathIn(module)}`,
  outcome: /^200$/,
  json: { [`${module.name}:location`]: location },
});
const change = (module: typeof ACME, outcome: RegExp) => ({
  call: `PUT ${pathIn(module)}`,
  body: { [`${module.name}:location`]: 'Bern' },
  outcome,
});
const error = (tag: string, message: string, more = ''): string =>
  `<rpc-error><error-type>application</error-type><error-tag>${tag}</error-tag><error-severity>error</error-severity>${more}<error-message xml:lang="en">${message}</error-message></rpc-error>`;

const on11 = (module: typeof ACME) => ({
  hello: helloOf(BASE_1_1, module),
  isChunked: true,
  schemas: schemaOf(module),
});

export const OTHERS: readonly Dialogue[] = [
  {
    ...on11(SROS),
    server: 'Nokia 7750 SR, SR OS 16',
    source: 'https://github.com/scrapli/scrapli_netconf/pull/149',
    shows: 'splits names and characters between chunks',
    chunkBytes: 7,
    replies: { get: reply(data(SROS, 'Genève')) },
    exchanges: [read(SROS, 'Genève')],
  },
  {
    ...on11(SROS),
    server: 'Nokia 7750 SR, SR OS 16, with the output of a command',
    source: 'https://github.com/CESNET/libnetconf2/issues/118',
    shows: 'counts carriage returns in the size of a chunk, which XML reads as line feeds',
    replies: { get: reply(data(SROS, 'TiMOS\r\r\nBuilt\r\n')) },
    exchanges: [read(SROS, 'TiMOS\n\nBuilt\n')],
  },
  {
    ...on11(SROS),
    server: 'Nokia 7750 SR, SR OS 14',
    source: 'https://github.com/tail-f-systems/JNC/issues/68',
    shows: 'names two bad elements, and writes the message over several lines',
    replies: {
      'edit-config': reply(
        error(
          'missing-attribute',
          '\n            Check that the attribute is present\n        ',
          '<error-info><bad-element>message-id</bad-element><bad-element>rpc</bad-element></error-info>',
        ),
      ),
    },
    exchanges: [change(SROS, /^400 missing-attribute: Check that the attribute is present$/)],
    operations: ['lock', 'get-config', 'edit-config', 'discard-changes', 'unlock'],
  },
  {
    hello: helloOf(BASE_1_1, SROS),
    isChunked: true,
    folder: schemaOf(SROS),
    server: 'Nokia 7250 IXR, SR OS 25.7',
    source: 'https://github.com/nokia/pysros/issues/15',
    shows: 'cannot send its modules, which the folder of the adapter has',
    replies: { get: reply(data(SROS, 'Bern')) },
    exchanges: [read(SROS, 'Bern')],
  },
  {
    hello: helloOf(BASE_1_0, VRP),
    schemas: schemaOf(VRP),
    server: 'Huawei NetEngine 8000, VRP',
    source:
      'http://a10.tagan.ru/huawei/netengine8000f1a/software/nev8r10_vrpv8r16/user/vrp/feature_0003991476.html',
    shows: 'writes the whole request into its error-path, and a number into error-app-tag',
    replies: {
      'edit-config': `<?xml version="1.0" encoding="utf-8"?>\n${reply(
        error(
          'bad-element',
          'location has invalid value Bern.',
          `<error-app-tag>43</error-app-tag><error-path xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0" xmlns:s="${VRP.namespace}">/nc:rpc/nc:edit-config/nc:config/s:system/s:user[s:name="rule_-2"]/s:uid</error-path><error-info><bad-element>location</bad-element></error-info>`,
        ),
      )}`,
    },
    exchanges: [
      {
        ...change(VRP, /^400 bad-element: location has invalid value Bern\.$/),
        json: {
          'ietf-restconf:errors': {
            error: [
              {
                'error-type': 'application',
                'error-tag': 'bad-element',
                'error-app-tag': '43',
                'error-path': '/huawei-system:system/user[name="rule_-2"]/uid',
                'error-message': 'location has invalid value Bern.',
                'error-info': 'bad-element: location',
              },
            ],
          },
        },
      },
    ],
  },
  {
    hello: helloOf(BASE_1_0, VRP),
    schemas: schemaOf(VRP),
    encoding: 'latin1',
    server: 'Huawei USG firewall',
    source: 'https://github.com/ncclient/ncclient/issues/655',
    shows: 'sends another encoding than UTF-8 without saying so, which is refused',
    replies: { get: reply(data(VRP, 'Zürich')) },
    exchanges: [
      { call: `GET ${pathIn(VRP)}`, outcome: /^upstream_bad_reply: what the server sent is not valid UTF-8/ },
      change(VRP, /^201$/),
    ],
  },
  {
    ...on11(VRP),
    server: 'Huawei CloudEngine 6870',
    source: 'https://github.com/ncclient/ncclient/issues/466',
    shows: 'answers with the message-id of a request that nobody waits for',
    replies: {
      get: [reply('<ok/>').replace('"ID"', '"999999"'), reply(data(VRP, 'Bern'), ' flow-id="20"')],
    },
    exchanges: [read(VRP, 'Bern')],
  },
  {
    server: 'Arista EOS',
    source: 'https://aristanetworks.github.io/openmgmt/examples/netconf/netconf_over_ssh',
    shows: 'has base:1.0 alone, no validate, and line ends after each message',
    hello: `${helloOf(BASE_1_0, ACME, ['urn:ietf:params:netconf:capability:confirmed-commit:1.0'])}\n`,
    afterMessage: '\n\n',
    schemas: schemaOf(ACME),
    options: { confirmSeconds: 30 },
    replies: { get: reply(data(ACME, 'Bern'), ' time-modified="2026-01-31T12:00:00.5Z"') },
    exchanges: [read(ACME, 'Bern'), change(ACME, /^201$/), read(ACME, 'Bern')],
    operations: ['get', 'lock', 'get-config', 'edit-config', 'commit', 'commit', 'unlock', 'get'],
  },
  {
    hello: helloOf(BASE_1_0, ACME),
    schemas: schemaOf(ACME),
    server: 'Siemens RUGGEDCOM RX1400 (ConfD)',
    source:
      'https://manualshive.com/ru/manual/siemens/ruggedcom-mx5000re/ruggedcom-mx5000re_reference-manual_380698-145.html',
    shows: 'breaks the lines of its error-path',
    replies: {
      commit: reply(
        error(
          'operation-failed',
          '/system: location must be\nset',
          `<error-path xmlns:a="${ACME.namespace}">\n/a:system/a:location\n</error-path><error-info>\n<bad-element>location</bad-element>\n</error-info>`,
        ),
      ),
    },
    exchanges: [change(ACME, /^500 operation-failed: \/system: location must be set$/)],
  },
  {
    ...on11(ACME),
    server: 'Kaloom Flow Fabric (ConfD)',
    source: 'https://github.com/ansible-collections/ansible.netcommon/issues/151',
    shows: 'declares all prefixes at data, and writes each element with one',
    replies: {
      get: reply(
        `<data xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0" xmlns:f="${ACME.namespace}"><f:system><f:location>Bern</f:location></f:system></data>`,
      ),
    },
    exchanges: [read(ACME, 'Bern')],
  },
  {
    hello: helloOf(BASE_1_0, ACME, [BASE_1_1]),
    schemas: schemaOf(ACME),
    options: { chunkedFraming: false },
    server: 'Ciena',
    source: 'https://github.com/ncclient/ncclient/pull/569',
    shows: 'announces base:1.1, and works with clients that have base:1.0 alone',
    replies: { get: reply(data(ACME, 'Bern')) },
    exchanges: [read(ACME, 'Bern'), change(ACME, /^201$/)],
  },
  {
    ...on11(ACME),
    server: 'O-RAN radio unit',
    source: 'https://github.com/CESNET/libyang/issues/2311',
    shows: 'sends nodes that its modules do not have',
    replies: {
      get: reply(data(ACME, 'Bern</location><locationv2>Thun</locationv2><location xmlns="urn:vendor">')),
    },
    exchanges: [
      {
        call: 'GET /restconf/data/acme-system:system',
        outcome: /^200$/,
        json: { 'acme-system:system': { location: 'Bern' } },
      },
    ],
    logged: /\/acme-system:system\/locationv2 \/acme-system:system\/{urn:vendor}location/,
  },
  {
    ...on11(ACME),
    server: 'netopeer2 (CESNET)',
    source: 'https://github.com/CESNET/libnetconf2/issues/289',
    shows: 'answers a request that it cannot read without a message-id',
    replies: {
      get: `<rpc-reply ${XMLNS}>${error('malformed-message', 'A message could not be handled.')}</rpc-reply>`,
    },
    exchanges: [
      { call: `GET ${pathIn(ACME)}`, outcome: /^400 malformed-message: A message could not be handled\.$/ },
    ],
  },
  {
    ...on11(ACME),
    server: 'clixon',
    source: 'https://github.com/clicon/clixon/issues/369',
    shows: 'sends a hello with a message-id, and keeps a candidate that another client has changed',
    hello: helloOf(BASE_1_1, ACME).replace(XMLNS, `${XMLNS} message-id="42"`),
    options: { lockMs: 0 },
    replies: {
      lock: reply(
        error(
          'lock-denied',
          'candidate has already been modified',
          '<error-info><session-id>0</session-id></error-info>',
        ),
      ),
    },
    exchanges: [change(ACME, /^409 lock-denied: candidate has already been modified$/)],
    operations: ['lock'],
  },
];
