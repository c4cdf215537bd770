import { BASE_1_0, BASE_1_1, type Dialogue, helloOf, moduleText, reply, XMLNS } from './dialogue.js';

const XE = { name: 'Cisco-IOS-XE-system', namespace: 'http://cisco.com/ns/yang/Cisco-IOS-XE-system' };
const XR = { name: 'Cisco-IOS-XR-system', namespace: 'http://cisco.com/ns/yang/Cisco-IOS-XR-system' };
const NX = { name: 'Cisco-NX-OS-device', namespace: 'http://cisco.com/ns/yang/cisco-nx-os-device' };

const schemaOf = ({ name, namespace }: typeof XE) => ({ [name]: moduleText(name, namespace) });
const pathIn = ({ name }: typeof XE) => `/restconf/data/${name}:system/location`;
const data = ({ namespace }: typeof XE, location: string): string =>
  `<data><system xmlns="${namespace}"><location>${location}</location></system></data>`;
const changeIn = (module: typeof XE, outcome: RegExp) => ({
  call: `PUT ${pathIn(module)}`,
  body: { [`${module.name}:location`]: 'Bern' },
  outcome,
});

export const CISCO: readonly Dialogue[] = [
  {
    server: 'Cisco Nexus 3172PQ, NX-OS 6.0',
    source: 'https://github.com/CESNET/libnetconf/issues/204',
    shows: 'declares and sends ISO 8859-1, and base:1.0 only in the form of a namespace',
    hello: `<?xml version="1.0" encoding="ISO-8859-1"?>
<hello ${XMLNS}>
  <capabilities>
    <capability>urn:ietf:params:xml:ns:netconf:base:1.0</capability>
    <capability>urn:ietf:params:netconf:capability:writable-running:1.0</capability>
  </capabilities>
  <session-id>9001</session-id>
</hello>
]]>]]>
`,
    encoding: 'latin1',
    afterMessage: '\r\n',
    folder: schemaOf(NX),
    options: { modules: [NX.name] },
    replies: { get: `<?xml version="1.0" encoding="ISO-8859-1"?>\n${reply(data(NX, 'Zürich'))}` },
    exchanges: [
      { call: `GET ${pathIn(NX)}`, outcome: /^200$/, json: { [`${NX.name}:location`]: 'Zürich' } },
      changeIn(NX, /^20[14]$/),
    ],
    operations: ['get', 'lock', 'get-config', 'edit-config', 'unlock'],
  },
  {
    server: 'Cisco Nexus 3400, NX-OS 9.3',
    source:
      'https://cisco.com/c/en/us/td/docs/switches/datacenter/nexus3400s/sw/93x/programmability/guide/cisco-nexus-3400-s-series-nx-os-programmability-guide-release-93x/m-n3400-s-agent-netconf-922.html',
    shows: 'sends a hello without a namespace, whose capabilities have white space around them',
    hello: `<?xml version="1.0" encoding="UTF-8"?>
<hello>
  <capabilities>
    <capability>
      ${BASE_1_0}
    </capability>
    <capability> ${BASE_1_1} </capability>
    <capability>urn:ietf:params:netconf:capability:candidate:1.0
    </capability>
    <capability>${NX.namespace}?revision=2026-01-01&amp;module=${NX.name}</capability>
  </capabilities>
  <session-id>1842156832</session-id>
</hello>
]]>]]>`,
    isChunked: true,
    schemas: schemaOf(NX),
    exchanges: [changeIn(NX, /^201$/)],
    operations: ['lock', 'get-config', 'edit-config', 'commit', 'unlock'],
  },
  {
    server: 'Cisco IOS XE 3',
    source: 'https://github.com/ncclient/ncclient/issues/68',
    shows: 'misspells the capability of a writable running datastore',
    hello: `<?xml version="1.0" encoding="UTF-8"?><hello ${XMLNS}><capabilities><capability>${BASE_1_0}</capability><capability>urn:ietf:params:netconf:capability:writeable-running:1.0</capability><capability>urn:ietf:params:netconf:capability:url:1.0</capability><capability>urn:cisco:params:netconf:capability:pi-data-model:1.0</capability></capabilities><session-id>373835280</session-id></hello>]]>]]>`,
    folder: schemaOf(XE),
    options: { modules: [XE.name] },
    exchanges: [changeIn(XE, /^201$/)],
    operations: ['lock', 'get-config', 'edit-config', 'unlock'],
  },
  {
    server: 'Cisco IOS XR',
    source: 'https://github.com/ansible/ansible/issues/64634',
    shows: 'declares the prefix of its error-path without xmlns',
    hello: helloOf(BASE_1_1, XR),
    isChunked: true,
    schemas: schemaOf(XR),
    replies: {
      get: `<?xml version="1.0"?>
<rpc-reply message-id="ID" xmlns:nc="urn:ietf:params:xml:ns:netconf:base:1.0" ${XMLNS}>
 <rpc-error>
  <error-type>protocol</error-type>
  <error-tag>unknown-namespace</error-tag>
  <error-severity>error</error-severity>
  <error-path ns1="${XR.namespace}">ns1:system</error-path>
  <error-info>
   <bad-element>system</bad-element>
   <bad-namespace>${XR.namespace}</bad-namespace>
  </error-info>
 </rpc-error>
</rpc-reply>`,
    },
    exchanges: [{ call: `GET ${pathIn(XR)}`, outcome: /^400 unknown-namespace: $/ }],
  },
  {
    server: 'Cisco IOS XR with a backspace in a banner',
    source: 'https://github.com/scrapli/scrapli_netconf/issues/18',
    shows: 'sends a character that XML forbids, which is refused, and the next call has another session',
    hello: helloOf(BASE_1_1, XR),
    isChunked: true,
    schemas: schemaOf(XR),
    replies: { get: reply(data(XR, 'a\u0008b')), 'get-config': reply(data(XR, 'Bern')) },
    exchanges: [
      {
        call: `GET ${pathIn(XR)}`,
        outcome: /^upstream_bad_reply: what the server sent is not well-formed XML at line 1/,
      },
      {
        call: `GET ${pathIn(XR)}?content=config`,
        outcome: /^200$/,
        json: { [`${XR.name}:location`]: 'Bern' },
      },
    ],
  },
  {
    server: 'Cisco IOS XR with hash signs in its data',
    source: 'https://github.com/scrapli/scrapligo/issues/99',
    shows: 'sends what looks like the end of the chunks inside of a chunk',
    hello: helloOf(BASE_1_1, XR),
    isChunked: true,
    schemas: schemaOf(XR),
    replies: { get: reply(data(XR, '\n##\n##10.1##\n#5\n')) },
    exchanges: [
      {
        call: `GET ${pathIn(XR)}`,
        outcome: /^200$/,
        json: { [`${XR.name}:location`]: '\n##\n##10.1##\n#5\n' },
      },
    ],
  },
];
