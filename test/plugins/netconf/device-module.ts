/** YANG module of a device in the tests: one leaf of each type, lists, a choice, operations and state. */
export const DEVICE_MODULE = `module test-device {
  yang-version 1.1;
  namespace "urn:test:device";
  prefix d;
  import ietf-inet-types { prefix inet; }
  revision 2026-01-01;
  identity media;
  identity copper { base media; }
  identity fiber { base media; }
  container device {
    leaf hostname { type string { length "1..32"; } }
    leaf counter { type uint64; }
    leaf offset { type int8; }
    leaf ratio { type decimal64 { fraction-digits 3; } }
    leaf enabled { type boolean; default "true"; }
    leaf marker { type empty; }
    leaf media { type identityref { base media; } }
    leaf address { type inet:ip-address; }
    leaf mtu { type union { type uint16 { range "68..9216"; } type enumeration { enum auto; } } }
    leaf-list dns { type inet:ip-address; ordered-by user; }
    list port {
      key "slot name";
      leaf slot { type uint8; }
      leaf name { type string; }
      leaf speed { type uint32; units "Mbit/s"; }
      leaf description { type string; }
      list unit { key "id"; leaf id { type uint32; } leaf vlan { type uint16 { range "1..4094"; } } }
    }
    container service { presence "on"; leaf level { type enumeration { enum low; enum high; } mandatory true; } }
    list rule { key "name"; ordered-by user; leaf name { type string; } leaf action { type string; } }
    choice transport { leaf tcp-port { type inet:port-number; } leaf socket { type string; } }
  }
  rpc restart { input { leaf delay { type uint32; } } }
}
`;

/** Content of the device, a value of each type, in JSON (RFC 7951). */
export const DEVICE_DATA = {
  hostname: 'r1 <core> & "edge"',
  counter: '18446744073709551615',
  offset: -5,
  ratio: '1.5',
  enabled: false,
  marker: [null],
  media: 'test-device:fiber',
  address: '2001:db8::1',
  mtu: 1500,
  dns: ['192.0.2.53', '192.0.2.1'],
  port: [
    { slot: 1, name: 'xe/0', speed: 10_000, unit: [{ id: 0, vlan: 100 }] },
    { slot: 2, name: 'ge,0' },
  ],
  service: { level: 'low' },
  'tcp-port': 22,
};
