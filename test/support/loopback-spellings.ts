/** Spellings of 127.0.0.1 and ::1, of names for them, and of URIs that hide them; no real host among them. */
export function loopbackSpellings(port: number): string[] {
  const hosts = `
      127.0.0.1 127.0.0.1. 127.1 127.0.1 2130706433 0x7f000001 0x7F.1 017700000001 0177.0.0.1
      0177.0.0.01 127.0.0.01 127.000.000.001 0x7f.0.0.1 127.0.0x0.1 127.0x1 0 0.0.0.0 0x0 127.0.0.2
      127.255.255.254 １２７.0.0.1 ①②⑦.0.0.1 127。0。0。1 127．0．0．1 127%2e0%2e0%2e1 %31%32%37.0.0.1 [::1]
      [0:0:0:0:0:0:0:1] [0000::0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001]
      [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] [::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1]
      [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:1::1] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
      [2001::7f00:1] [fe80::5efe:127.0.0.1] [::1%25lo] [::1%lo] [::ffff:0.0.0.0] [::0.0.0.0] [fe80::1]
      localhost LOCALHOST localhost. localhost.localdomain ip6-localhost ip6-loopback a.localhost
      ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ local\u00adhost loca%6chost localtest.me 127.0.0.1.nip.io rebind.example
      xn--localhost- my_canary 127-0-0-1.example metadata.google.internal instance-data
      169.254.169.254
    `
    .trim()
    .split(/\s+/);
  const tricks = [
    ...String.raw`
      http://evil@{} http://evil:pw@{} http://{}@{} http://evil.example\@{} http://evil.example#@{}
      http://evil.example?@{} http:{} http:/{} http:///{} http:\\{} http:/\{} //{} {} http://{}\ http://{}#
      HTTP://{}/ http://{}/../ https://{}/ https:{} ws://{}/ ftp://{}/ file://{}/ gopher://{}/ dict://{}/
      jar:http://{}/ blob:http://{}/ view-source:http://{}/ url:http://{}/ http://http://{}/ http://;@{}/
      http://[{}]/ http://%20{}/ http://evil.example%2f@{}/ http://evil.example;@{}/
      http://evil.example,{}/ http://{},evil.example/ http://{}%00.example/
    `
      .trim()
      .split(/\s+/),
    ...['http://\t{}', 'http://{}\t/', ' http://{}/', 'http://{} /', 'http://{}\r\n/', 'ht\ntp://{}/'],
    ...['http://{}\0', 'http:// {}/', 'http://evil.example {}/'],
  ];
  return [
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...hosts.map((host) => `https://${host}:${port}/`),
    ...tricks.map((trick) => trick.replaceAll('{}', `127.0.0.1:${port}`)),
    `http://127.0.0.1:0${port}/`,
    `http://127.0.0.1:+${port}/`,
    `http://127.0.0.1:${port + 65_536}/`,
  ];
}
