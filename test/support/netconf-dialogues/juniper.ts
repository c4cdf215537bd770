import { BASE_1_0, type Dialogue, helloOf, moduleText, reply, XMLNS } from './dialogue.js';

const SYSTEM = { name: 'junos-conf-system', namespace: 'http://yang.juniper.net/junos/conf/system' };
const NAME = '/restconf/data/junos-conf-system:system/host-name';
const RPC = { name: 'junos-rpc', namespace: 'http://yang.juniper.net/junos/rpc' };
const OPERATION = '/restconf/operations/junos-rpc';
const RPC_MODULE = moduleText(
  RPC.name,
  RPC.namespace,
  `rpc load-configuration { input { leaf configuration-set { type string; } } }
   rpc get-neighbors { output { container neighbors { leaf port { type string; } leaf count { type uint16; } } } }`,
);
const JUNOS = ' xmlns:junos="http://xml.juniper.net/junos/18.4R2/junos"';

/** A change of the name, and what the caller gets. */
const change = (outcome: RegExp, json?: unknown) => ({
  call: `PUT ${NAME}`,
  body: { 'junos-conf-system:host-name': 'r1' },
  outcome,
  ...(json !== undefined && { json }),
});

const server = {
  hello: helloOf(BASE_1_0, SYSTEM),
  schemas: { [SYSTEM.name]: moduleText(SYSTEM.name, SYSTEM.namespace) },
};

export const JUNIPER: readonly Dialogue[] = [
  {
    server: 'Juniper SRX5600, Junos 12',
    source: 'https://github.com/Juniper/py-junos-netconify/issues/19',
    shows: 'sends comments before its hello, base:1.0 only in the form of a namespace, and no modules',
    hello: `<!-- No zombies were killed during the creation of this user interface -->
<!-- user admin, class j-super-user -->
<hello>
  <capabilities>
    <capability>urn:ietf:params:xml:ns:netconf:base:1.0</capability>
    <capability>urn:ietf:params:xml:ns:netconf:capability:candidate:1.0</capability>
    <capability>urn:ietf:params:xml:ns:netconf:capability:confirmed-commit:1.0</capability>
    <capability>urn:ietf:params:xml:ns:netconf:capability:validate:1.0</capability>
    <capability>urn:ietf:params:xml:ns:netconf:capability:url:1.0?protocol=http,ftp,file</capability>
    <capability>http://xml.juniper.net/netconf/junos/1.0</capability>
  </capabilities>
  <session-id>61234</session-id>
</hello>
]]>]]>
`,
    afterMessage: '\n',
    folder: { [SYSTEM.name]: moduleText(SYSTEM.name, SYSTEM.namespace) },
    options: { modules: [SYSTEM.name] },
    replies: {
      get: reply(
        `<data><system xmlns="${SYSTEM.namespace}"><host-name>r1</host-name></system></data>`,
        JUNOS,
      ),
    },
    exchanges: [
      { call: `GET ${NAME}`, outcome: /^200$/, json: { 'junos-conf-system:host-name': 'r1' } },
      change(/^204$|^201$/),
    ],
    logged: /does not announce modules/,
  },
  {
    ...server,
    server: 'Juniper MX960, Junos',
    source: 'https://github.com/scottdware/go-junos/issues/34',
    shows: 'confirms a commit with its results beside ok',
    replies: {
      commit: reply(
        '<commit-results><routing-engine junos:style="show-name"><name>re0</name><commit-check-success/></routing-engine><routing-engine junos:style="show-name"><name>re1</name><commit-success/></routing-engine></commit-results><ok/>',
        JUNOS,
      ),
    },
    exchanges: [change(/^201$/)],
    operations: ['lock', 'get-config', 'edit-config', 'commit', 'unlock'],
  },
  {
    ...server,
    server: 'Juniper PTX, Junos',
    source: 'https://github.com/clicon/clixon-controller/issues/71',
    shows: 'warns of a missing license beside ok, with elements of its own',
    replies: {
      commit: reply(
        `<rpc-error><error-severity>warning</error-severity><source-daemon>
mgd
</source-daemon><error-path>
[edit routing-instances blue protocols]
</error-path><error-info><bad-element>
bgp
</bad-element></error-info><error-message>
requires 'bgp' license
</error-message></rpc-error><ok/>`,
        JUNOS,
      ),
    },
    exchanges: [change(/^201$/, { warnings: ["requires 'bgp' license"] })],
    logged: /confirms an operation with warnings.*requires 'bgp' license/,
  },
  {
    ...server,
    server: 'Juniper QFX, Junos',
    source: 'https://github.com/ncclient/ncclient/issues/54',
    shows: 'reports an error between warnings inside of commit-results, without an error-tag',
    replies: {
      commit: reply(
        '<commit-results><rpc-error><error-severity>warning</error-severity><error-message>requires a license</error-message></rpc-error><rpc-error><error-path>[edit interfaces]</error-path><error-severity>error</error-severity><error-message>no such interface</error-message></rpc-error></commit-results>',
        JUNOS,
      ),
    },
    exchanges: [change(/^500 operation-failed: no such interface$/)],
    operations: ['lock', 'get-config', 'edit-config', 'commit', 'discard-changes', 'unlock'],
  },
  {
    server: 'Juniper EX, Junos 16',
    source: 'https://github.com/Juniper/py-junos-eznc/pull/712',
    shows: 'puts the confirmation and its warnings into load-configuration-results',
    hello: helloOf(BASE_1_0, RPC),
    schemas: { [RPC.name]: RPC_MODULE },
    replies: {
      'load-configuration': reply(
        '<load-configuration-results><rpc-error><error-severity>warning</error-severity><error-path>[edit]</error-path><error-message>statement not found: system</error-message></rpc-error><ok/></load-configuration-results>',
        JUNOS,
      ),
    },
    exchanges: [
      {
        call: `POST ${OPERATION}:load-configuration`,
        body: { 'junos-rpc:input': { 'configuration-set': 'delete system location' } },
        outcome: /^20[04]$/,
        json: { warnings: ['statement not found: system'] },
      },
    ],
  },
  {
    server: 'Juniper MX204, Junos with rfc-compliant',
    source:
      'https://www.juniper.net/documentation/us/en/software/junos/netconf/topics/concept/netconf-session-rfc-compliant.html',
    shows: 'writes each element of NETCONF with the prefix nc',
    hello: helloOf(BASE_1_0, SYSTEM)
      .replace(XMLNS, 'xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0"')
      .replaceAll(/<(\/?)(hello|capabilit|session)/g, '<$1nc:$2'),
    schemas: server.schemas,
    replies: {
      get: `<nc:rpc-reply xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0"${JUNOS} message-id="ID"><nc:data><system xmlns="${SYSTEM.namespace}"><host-name>r1</host-name></system></nc:data></nc:rpc-reply>`,
      commit:
        '<nc:rpc-reply xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0" message-id="ID"><nc:ok/></nc:rpc-reply>',
    },
    exchanges: [
      { call: `GET ${NAME}`, outcome: /^200$/, json: { 'junos-conf-system:host-name': 'r1' } },
      change(/^201$/),
    ],
  },
  {
    ...server,
    server: 'Juniper MX204, Junos without rfc-compliant',
    source:
      'https://www.juniper.net/documentation/us/en/software/junos/cli-reference/topics/ref/statement/rfc-compliant-edit-system-services-netconf.html',
    shows: 'sends data in a namespace that is not that of its modules, which is no absence of data',
    replies: {
      get: reply(
        '<data><system xmlns="http://xml.juniper.net/xnm/1.1/xnm"><host-name>r1</host-name></system></data>',
        JUNOS,
      ),
    },
    exchanges: [
      {
        call: `GET ${NAME}`,
        outcome:
          /^upstream_bad_reply: .*"system" of the namespace "http:\/\/xml\.juniper\.net\/xnm\/1\.1\/xnm"/,
      },
    ],
  },
  {
    server: 'Juniper MX, Junos 18.4',
    source: 'https://github.com/Juniper/yang/issues/11',
    shows: 'leaves out the namespace of the output of an operation',
    hello: helloOf(BASE_1_0, RPC),
    schemas: { [RPC.name]: RPC_MODULE },
    replies: {
      'get-neighbors': reply(
        '<neighbors junos:style="detail"><port>ge-0/0/0</port><count>2</count></neighbors>',
        JUNOS,
      ),
    },
    exchanges: [
      {
        call: `POST ${OPERATION}:get-neighbors`,
        outcome: /^200$/,
        json: { 'junos-rpc:output': { neighbors: { port: 'ge-0/0/0', count: 2 } } },
      },
    ],
  },
];
