import { LEGITIMATE_PATHS } from '../../test/support/path-vectors.js';

const LISTS = [
  '/data/ietf-interfaces:interfaces/interface={}',
  '/data/ietf-interfaces:interfaces/interface={}/ietf-ip:ipv4/address=10.0.0.1/prefix-length',
  '/data/openconfig-interfaces:interfaces/interface={}/subinterfaces/subinterface=0/config',
  '/data/openconfig-network-instance:network-instances/network-instance={}/protocols/protocol=BGP,bgp',
  '/data/ietf-l3vpn-svc:l3vpn-svc/sites/site={}/site-network-accesses',
  '/data/Cisco-IOS-XR-ifmgr-cfg:interface-configurations/interface-configuration=act,{}',
  '/data/Cisco-IOS-XE-native:native/interface/GigabitEthernet={}',
  '/data/tailf-ncs:devices/device={}/live-status',
  '/data/tailf-ncs:devices/device={}/sync-from',
  '/data/nokia-conf:configure/router={}/interface=system',
  '/data/ietf-network:networks/network={}/node=r1/ietf-network-topology:termination-point=1',
  '/operations/example:reset/port={}',
  '/v1/sites/{}/devices',
  '/api/dcim/devices/{}/',
  '/api/now/table/{}',
  '/api/v2/job_templates/{}/launch/',
  '/policy/api/v1/infra/segments/{}',
  '/rest/v2/inventory/{}:config',
];

const KEYS = [
  ...['eth0', 'GigabitEthernet0%2F0%2F0', 'Ethernet1%2F1.100', 'xe-0%2F0%2F0:1', 'et-0.0.0', 'lo0', '1'],
  ...['A%20site', 'M%C3%BCnchen', '%E6%9D%B1%E4%BA%AC', '2001%3Adb8%3A%3A1', '10.0.0.0%2F8', "o'hare"],
  ...['a%2Cb', '100%25', '%22quoted%22', 'user@example.com', '~Common~web-pool', '.hidden', 'v1..v2'],
];

/** More than 300 paths of RESTCONF (RFC 8040) and of network products, with keys as they occur. */
export const MANY_LEGITIMATE_PATHS: readonly string[] = [
  ...new Set([...LEGITIMATE_PATHS, ...LISTS.flatMap((list) => KEYS.map((key) => list.replace('{}', key)))]),
];
