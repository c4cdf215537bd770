const text = { type: 'string' };

/** A schema with one field of every kind that forms support. */
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['name'],
  properties: {
    name: { ...text, minLength: 2, description: 'What the device is called.' },
    mtu: { type: 'integer', minimum: 68, maximum: 9216, default: 1500, 'x-yang': { units: 'octets' } },
    counter: { type: 'string', pattern: '^(?:0|[1-9][0-9]*)$', 'x-yang': { type: 'uint64' } },
    enabled: { type: 'boolean', default: true },
    mode: { enum: ['access', 'trunk', 'routed'] },
    speed: { enum: ['1G', '10G'] },
    encapsulation: {
      enum: ['dot1q', 'mod:qinq', 'mod:vxlan'],
      'x-yang': { type: 'identityref', identities: 'mod' },
    },
    flags: {
      type: 'string',
      'x-yang': { type: 'bits', bits: [{ name: 'syn' }, { name: 'ack' }, { name: 'fin' }] },
    },
    since: { type: 'string', format: 'date-time' },
    notes: text,
    secret: { type: 'string', writeOnly: true },
    uplink: text,
    peer: text,
    address: {
      anyOf: [
        { type: 'string', pattern: '^[0-9]+[.]' },
        { type: 'integer', maximum: 255 },
      ],
    },
    passive: { type: 'array', prefixItems: [{ type: 'null' }], items: false, minItems: 1, maxItems: 1 },
    version: { const: 2 },
    anything: true,
    'static-route': { type: 'string', 'x-yang-choice': 'routing', 'x-yang-case': 'static' },
    'bgp-as': { type: 'integer', 'x-yang-choice': 'routing', 'x-yang-case': 'bgp' },
    logging: { type: 'object', 'x-yang': { presence: true }, properties: { level: text } },
    trunk: {
      type: 'object',
      properties: {
        native: { type: 'integer', maximum: 4094, 'x-yang': { when: [{ xpath: "../../mode = 'trunk'" }] } },
      },
    },
    features: { type: 'array', uniqueItems: true, items: { enum: ['lldp', 'cdp', 'stp'] } },
    servers: { type: 'array', items: text },
    interface: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, description: text, mtu: { type: 'integer', maximum: 9216 } },
      },
      'x-yang': { keys: ['name'], 'ordered-by': 'user' },
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const data = {
  name: 'edge1',
  mtu: 9000,
  counter: '18446744073709551615',
  mode: 'access',
  'static-route': '192.0.2.0/24',
  interface: [
    { name: 'eth0', mtu: 1500 },
    { name: 'eth1', description: 'to core' },
  ],
  servers: ['192.0.2.1'],
  labels: { site: 'lab' },
  'left-over': { kept: [1, 2.5] },
};

/** Files of a form with one field of every kind, for `serveFormPage`. */
export const FORM_OF_ALL_KINDS: Readonly<Record<string, unknown>> = {
  'kinds.json': schema,
  'kinds.d1.json': data,
  'kinds.ui.json': { notes: { 'ui:widget': 'textarea' }, speed: { 'ui:widget': 'radio' } },
  'kinds.binding.json': {
    type: 'object',
    properties: {
      uplink: bindingTo('/uplinks'),
      peer: bindingTo('/none'),
    },
  },
  'empty.json': { type: 'object', properties: {}, additionalProperties: false },
};

function bindingTo(href: string): object {
  return {
    'binding:method': 'GET',
    'binding:hyperSchema': { base: '', links: [{ rel: 'options', href }] },
    'binding:link': 'options',
    'binding:target': '/enum',
    'binding:source': { propertyPointer: '', keyPointer: '' },
  };
}
