/** A form as a designer creates it. */
export const GALLERY_FORM = {
  name: 'Provision VLAN',
  description: 'A VLAN at one site, with its gateway',
  struct: {},
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Provision VLAN',
    type: 'object',
    required: ['site', 'vlan'],
    properties: {
      site: {
        type: 'string',
        title: 'Site',
        enum: ['ber1', 'ham2', 'muc1'],
        description: 'Where it is needed',
      },
      vlan: { type: 'integer', title: 'VLAN id', minimum: 2, maximum: 4094 },
      gateway: {
        type: 'string',
        title: 'Gateway',
        format: 'ipv4',
        description: 'First address of the subnet',
      },
      mtu: { type: 'integer', title: 'MTU', default: 1500, minimum: 576, maximum: 9216 },
      tagged: { type: 'boolean', title: 'Tagged', default: true },
      ports: {
        type: 'array',
        title: 'Ports',
        items: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string', title: 'Name', pattern: '^eth[0-9]+$' },
            mode: { type: 'string', title: 'Mode', enum: ['access', 'trunk'], default: 'access' },
          },
        },
      },
      ticket: { type: 'string', title: 'Ticket', description: 'Number of the change request' },
    },
  },
  uiSchema: { ticket: { 'ui:placeholder': 'CHG0012345' } },
  bindingSchema: {},
  validationSchema: {},
} as const;

/** A device as its vendor models it. */
export const GALLERY_YANG = `module example-edge {
  yang-version 1.1;
  namespace "urn:example:edge";
  prefix edge;
  revision 2026-03-01;
  typedef ipv4-address { type string { pattern "[0-9]+(\\\\.[0-9]+){3}"; } description "Address in dotted decimals."; }
  container system {
    description "The device as a whole.";
    leaf hostname { type string { length "1..63"; } mandatory true; description "Name on the network."; }
    leaf location { type string; description "Where it stands."; }
    container ntp {
      presence "Time is kept by NTP.";
      leaf-list server { type ipv4-address; max-elements 4; description "Time servers, the best first."; ordered-by user; }
    }
    leaf-list dns { type ipv4-address; description "Name servers."; }
  }
  container interfaces {
    description "Ports and what runs on them.";
    list interface {
      key name;
      description "One port.";
      leaf name { type string { pattern "(ge|xe)-[0-9]+/[0-9]+"; } description "As printed on the device."; }
      leaf description { type string; }
      leaf enabled { type boolean; default true; }
      leaf mtu { type uint16 { range "576..9216"; } default 1500; units bytes; }
      leaf speed { type enumeration { enum 1g; enum 10g; enum 100g; } }
      leaf-list flags { type bits { bit lldp; bit flow-control; bit storm-control; } }
      choice addressing {
        case static { leaf address { type ipv4-address; } leaf prefix-length { type uint8 { range "0..32"; } } }
        case dhcp { leaf dhcp { type empty; } }
      }
    }
  }
  container bgp {
    presence "BGP runs.";
    description "Routing to others.";
    leaf as { type uint32 { range "1..max"; } mandatory true; description "Our autonomous system."; }
    leaf router-id { type ipv4-address; }
    list neighbor {
      key address;
      unique description;
      leaf address { type ipv4-address; }
      leaf remote-as { type uint32; mandatory true; }
      leaf description { type string; }
      leaf update-source { type leafref { path "/edge:interfaces/edge:interface/edge:name"; } }
      leaf hold-time { type uint16 { range "0 | 3..max"; } default 90; units seconds; }
      leaf received { type uint64; config false; description "Routes received."; }
    }
  }
}
`;
