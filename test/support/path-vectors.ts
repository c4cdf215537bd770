/** Hostile paths without white space, control characters and escapes of JavaScript. */
const PRINTABLE = String.raw`
  data ./data ../data ?x # //evil ///evil /\evil \evil \\evil http:/evil http://evil @evil :80
  /.. /. /../ /./ /../.. /a/.. /a/../b /a/./b /... /a/.... /..; /..;/ /..;a=b/x /;/.. /.;/x /a/..;x?y
  /..?x /..\x /a\b /a\..\b /%2e%2e /%2E%2e/ /.%2e /%2e. /%2e /a/%2e%2e/b /..%2f /..%2F..%2Fx
  /%2e%2e%2f /a%2f..%2fb /a%2f.. /..%5cx /a%5c.. /%5cevil /a%5Cb /%252e%252e /%252e
  /%252e%252e%252f /..%252f /a%255cb /%25252e%25252e /%2525252e /..%25252f..
  /%c0%ae%c0%ae /%c0%ae /..%c0%af /%c0%2e /%e0%80%ae /%f0%80%80%ae /%c1%9c /a%ff /%80 /%ed%a0%80
  /%f5%80%80%80 /%25ff /．． /%EF%BC%8E%EF%BC%8E /..%EF%BC%8Fx /a%EF%BC%BCb /%E2%80%A5
  /%E2%80%A4%E2%80%A4 /%E2%80%A6 /%EF%B9%92%EF%B9%92 /%EF%BC%852e%EF%BC%852e
  /a%00 /%00 /a%00/../b /.%00. /..%00/ /%0d%0a /a%0d%0aHost:%20evil /a%0a /a%09b /%7f /%c2%85 /%2500
  /%250d%250a /.%09. /..%20 /..%20/x /%20.. /..%C2%AD /.%E2%80%8B. /..%EF%BB%BF /..%C2%A0
  /ä /a#b /# /a"b /a<b> /a|b /a^b /{a} /a[0] /% /%2 /%zz /a% /a%g1 /a%u002e /a?b#c /a?%
  /a"?b /a[0]?b /a?b\c /a?b%zz
`;

/** Paths that some server reads as a place outside of the base, as a second request, or as nothing at all. */
export const HOSTILE_PATHS: readonly string[] = [
  ...PRINTABLE.trim().split(/\s+/),
  ...['', ' ', '/a b', '/a\tb', '/a\r\nb', '/a\nb', '/a\0b', '/a\x7fb', '/\u2028', '/\ud800', '/a`b'],
  ...['/a?b c', '/a?b\r\nX: y', `/${'a'.repeat(8192)}`],
];

/** Paths of RESTCONF (RFC 8040) and of the REST interfaces of network products. */
export const LEGITIMATE_PATHS: readonly string[] = String.raw`
  / /data /data/ /data/tailf-ncs:devices /data/tailf-ncs:devices/device=C-IOS1
  /data/tailf-ncs:devices/device=C-IOS1/config?content=config&depth=2
  /data/ietf-interfaces:interfaces/interface=GigabitEthernet0%2F0%2F0
  /data/ietf-interfaces:interfaces/interface=eth0%2F1.100/ipv4/address=10.0.0.1
  /data/openconfig-interfaces:interfaces/interface=Ethernet1%2F1/state/counters
  /data/example:list=a%2Cb,c /data/example:list=,x /data/example:list=%22quoted%22
  /data/example:list='single' /data/example:list=100%25 /data/example:list=100%25-ok
  /data/example:list=50%2525 /data/example:list=a%20b /data/example:list=M%C3%BCnchen
  /data/example:list=%E6%9D%B1%E4%BA%AC /data/example:list=%F0%9F%98%80 /data/example:list=10.0.0.0%2F8
  /data/example:list=2001%3Adb8%3A%3A1 /data/example:list=fe80::1 /data/example:list=a%3Db
  /data/example:list=a%3Fb /data/example:list=a%23b /data/example:list=a%26b /data/example:list=a%5B0%5D
  /data/example:list=.hidden /data/example:list=.. /data/example:list=a..b
  /data/example:file=config.xml /data/v1.2.3/x /data/.well-known /data/a. /data/a;v=1/b;c
  /operations/tailf-ncs:sync-from /operations/example:reset;now=true
  /data?depth=unbounded /data?fields=a(b;c/d) /data?filter=%2Fa%2Fb%5Bc%3D%22d%22%5D
  /data?with-defaults=report-all&content=nonconfig /data?start-time=2024-01-01T00%3A00%3A00Z
  /data?x=/../y /data?x=a?b /data?x=%0A /data?x=%ff /data?$filter=name%20eq%20'x'
  /items?$filter=startswith(name,'a')&$top=5 /items?q=a+b&q=c /items?a%5B%5D=1
  /api/v4/projects/group%2Fname/repository/files/src%2Fa.ts
  /rests/data/network-topology:network-topology/topology=topology-netconf/node=r1/yang-ext:mount
  /rest/v1/devices/(id)/x!y*z /dna/intent/api/v1/network-device/1/500
  /nitro/v1/config/lbvserver?args=name:foo,type:bar /mgmt/tm/ltm/pool/~Common~web-pool/members
  /mgmt/tm/ltm/virtual?$select=name,destination /jsonrpc /webacs/api/v4/data/Devices.json?.full=true
  /ers/config/endpoint?filter=mac.EQ.00:11:22:33:44:55 /axapi/v3/slb/virtual-server/vs1+port/80+tcp
  /v3/projects/%7Bp%7D/x /data/a//b /data/user@example.com /data/a?
`
  .trim()
  .split(/\s+/);
