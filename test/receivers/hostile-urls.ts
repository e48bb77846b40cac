/** Replaces the public internet: the one address that the guard allows. */
export const OUTSIDE = '127.99.99.99';

const IPV4_HOSTS = words(`
  # Loopback, in the usual form, in short forms, and as one number.
  127.0.0.1 127.0.0.1. 127.0.0.2 127.0.1.1 127.1.1.1 127.127.127.127 127.255.255.254
  127.1 127.0.1 127.1. 127.65535 127.0.257 2130706433 2130706433. 2130706434 2147483646
  # Loopback in hexadecimal, octal, and mixed.
  0x7f000001 0X7F000001 0x7f000001. 0x7f.0.0.1 0x7f.0x0.0x0.0x1 0x7F.0x00.0x00.0x01 0x7f.1 0x7f.0.1
  127.0.0.0x1 127.0x000001 0177.0.0.1 0177.0.0.01 00000177.0.0.1 0000000000000177.1 017700000001
  0177.1 127.000.000.001 0177.0x0.0.1 0x7f.0.0.01 0177.0.0x1 127.0.00.1 0x0000007f.0.0.1 0x7f.000001
  # Loopback in digits and dots of other scripts, and encoded.
  ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏 𝟙𝟚𝟟.𝟘.𝟘.𝟙 ¹²⁷.⁰.⁰.¹ ₁₂₇.₀.₀.₁
  %31%32%37.0.0.1 127.0.0.%31 127%2e0%2e0%2e1 %30%78%37%66.1 ２１３０７０６４３３ ０ｘ７ｆ.1 127.0.0.1%2e
  # "This host".
  0 0. 00 0x0 0.0.0.0 0.0 0.0.0 0x00000000 0000 0.0.0.1 0.1 000.000.000.000
  # Private, shared and link-local networks, in several spellings.
  10.0.0.1 10.255.255.255 10.1 167772161 0x0a000001 012.0.0.1 0xa.1 １０.0.0.1
  172.16.0.1 172.31.255.255 172.16.1 2886729729 0xac100001 0254.16.0.1 172.0x10.0.1
  192.168.0.1 192.168.255.255 192.168.1 3232235521 0xc0a80001 0300.0250.0.1 192.168.0x1
  100.64.0.1 100.127.255.255 100.100.100.200 0x64400001 1681915905
  169.254.0.1 169.254.1.1 169.254.255.255 0xa9fe0001
  # Metadata services.
  169.254.169.254 169.254.169.254. 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 025177524776
  0xa9.0xfe.0xa9.0xfe 169.16689662 0251.254.0xa9.254 ①⑥⑨.②⑤④.①⑥⑨.②⑤④ 169。254。169。254
  169.254.170.2 168.63.129.16 192.0.0.192
  # Reserved, documentation, benchmarking and multicast networks.
  192.0.0.1 192.0.0.8 192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1
  192.31.196.1 192.52.193.1 192.175.48.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.254
  255.255.255.255 4294967295 0xffffffff 037777777777
`);

const IPV6_HOSTS = words(`
  # Loopback and unspecified, in every length.
  ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::0001 0::1 ::0:1 ::0.0.0.1
  :: ::0 0:0:0:0:0:0:0:0 0::0 ::0.0.0.0
  # IPv4 inside IPv6: mapped, compatible, translated.
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:127.0.0.1 0:0:0:0:0:ffff:127.0.0.1 ::ffff:7f00:0001
  ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:192.168.0.1 ::ffff:c0a8:1 ::ffff:172.16.0.1 ::ffff:0.0.0.0
  ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:100.64.0.1 ::ffff:8.8.8.8 ::ffff:808:808 ::ffff:127.99.99.99
  ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::a9fe:a9fe ::169.254.169.254 ::c0a8:1 ::8.8.8.8 ::127.99.99.99
  ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 ::ffff:0:10.0.0.1 ::ffff:0:a9fe:a9fe
  # IPv4 inside IPv6: NAT64, 6to4, Teredo.
  64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::8.8.8.8
  64:ff9b:1::127.0.0.1 64:ff9b:1::a00:1 64:ff9b:1:ffff::1 0064:ff9b::7f00:1
  2002:7f00:1:: 2002:7f00:0001::1 2002:a00:1:: 2002:c0a8:1:: 2002:a9fe:a9fe:: 2002:808:808::
  2001::1 2001:0:7f00:1:: 2001:0:4136:e378:8000:63bf:80ff:fffe 2001:0:53aa:64c:0:0:f5ff:fffe
  # Link-local, site-local, unique local, multicast.
  fe80::1 FE80::1 fe80::a9fe:a9fe febf::1 fec0::1 feff::1 fc00::1 fd00::1 fdff:ffff::1
  fd00:ec2::254 fd00:0ec2:0:0:0:0:0:254 fd20:ce::254 ff01::1 ff02::1 ff02::2 ff05::2 ff0e::1
  # Reserved, documentation, benchmarking, discard, segment routing, unallocated.
  100::1 100::ffff 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2001:0db8:85a3::8a2e:370:7334
  3fff::1 3fff:fff::1 5f00::1 5fff::1 4000::1 6000::1 8000::1 c000::1 f000::1 1::1
  # Zone ids, and invalid addresses.
  fe80::1%25eth0 ::1%25lo fe80::1%eth0 ::1%1 ::ffff:127.1 ::ffff:0x7f.0.0.1 :::1 127.0.0.1
`);

const NAMES = words(
  `localhost LOCALHOST localhost. LocalHost. app.localhost a.b.localhost. ｌｏｃａｌｈｏｓｔ loc%61lhost`,
);

/** Addresses that one parser takes for a harmless host and another for an internal one, and other schemes. */
const WHOLE_URLS = words(String.raw`
  http://good.example@127.0.0.1:PORT/ http://good.example:80@127.0.0.1:PORT/ http://@127.0.0.1:PORT/
  http://127.0.0.1:PORT@127.0.0.1:PORT/ http://a@b@127.0.0.1:PORT/ http://good.example%40@127.0.0.1:PORT/
  http:\\127.0.0.1:PORT\ http://good.example\@127.0.0.1:PORT/ http://127.0.0.1:PORT\@good.example/
  http:/127.0.0.1:PORT/ http:127.0.0.1:PORT/ http:///127.0.0.1:PORT/ http:////127.0.0.1:PORT/ //127.0.0.1:PORT/
  http://127.0.0.1:PORT#@good.example/ http://127.0.0.1:PORT?@good.example/ http://127.0.0.1:PORT/#good.example
  http://[::1]good.example:PORT/ http://127.0.0.1:PORT:80/ http://127.0.0.1:+PORT/ http://[127.0.0.1:PORT/
  http://127.0.0.1]:PORT/ http://[[::1]]:PORT/ http://127.0.0.1.:PORT. http://127..0.0.1:PORT/
  http://.127.0.0.1:PORT/ http://0x7f.0.0.0.1:PORT/ http://256.256.256.256:PORT/ http://1.2.3.4.5:PORT/
  https://127.0.0.1:PORT/ https://[::1]:PORT/ https://2130706433:PORT/ HTTP://127.0.0.1:PORT/ hTTps://127.1:PORT/
  ftp://127.0.0.1:PORT/ file://127.0.0.1:PORT/ file:///etc/passwd gopher://127.0.0.1:PORT/_POST dict://127.0.0.1:PORT/
  ldap://127.0.0.1:PORT/ ws://127.0.0.1:PORT/ wss://127.0.0.1:PORT/ redis://127.0.0.1:PORT/ unix://127.0.0.1:PORT/
  jar:http://127.0.0.1:PORT/!/ view-source:http://127.0.0.1:PORT/ blob:http://127.0.0.1:PORT/ data:text/plain,127.0.0.1
  javascript:127.0.0.1:PORT about:blank 127.0.0.1:PORT localhost:PORT/hooks /hooks http:// http://:PORT/ http://.:PORT/
`);

const UNPRINTABLE_URLS = [
  '',
  ' http://127.0.0.1:PORT/',
  '\thttp://127.0.0.1:PORT/',
  'ht\ntp://127.0.0.1:PORT/',
  'http://127.0.\t0.1:PORT/',
  'http://127.0.0.1:PORT/\r\nHost: inside',
  'http://127.0.0.1:PORT/ HTTP/1.1\r\n\r\n',
  'http://127.0.0.1\u0000.good.example:PORT/',
  'http://127\u00ad.0.0.1:PORT/',
  'http://127.0.0.1\u200b:PORT/',
  'http://127.0.0.1\ufeff:PORT/',
];

/** Addresses that a registered webhook may try to reach. `PORT` is the port of the internal socket. */
export const HOSTILE_URLS: readonly string[] = [
  ...[...IPV4_HOSTS, ...IPV6_HOSTS.map((address) => `[${address}]`), ...NAMES].map(
    (host) => `http://${host}:PORT/hooks`,
  ),
  ...WHOLE_URLS,
  ...UNPRINTABLE_URLS,
];

const SINGLE_ANSWERS = words(`
  127.0.0.1 127.0.0.53 0.0.0.0 10.0.0.5 172.20.0.2 192.168.1.10 100.64.7.7 169.254.169.254 168.63.129.16
  192.0.2.9 198.18.0.9 224.0.0.251 240.1.2.3 255.255.255.255 192.88.99.9
  ::1 :: ::ffff:127.0.0.1 ::ffff:127.99.99.99 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1
  2002:7f00:1::1 2001::7f00:1 fe80::1 fe80::1%eth0 fec0::1 fc00::9 fd00:ec2::254 ff02::1
  100::1 2001:db8::9 3fff::9 5f00::9
  # Names that a resolver might pass on unparsed.
  127.1 0x7f.1 2130706433 localhost [::1]
`);

/** Possible records of a name. A valid address does not excuse a forbidden one, in either order or family. */
export const HOSTILE_ANSWERS: readonly { readonly addresses: readonly string[] }[] = [
  ...SINGLE_ANSWERS.map((address) => ({ addresses: [address] })),
  { addresses: [''] },
  { addresses: [' 127.0.0.1'] },
  { addresses: ['127.0.0.1\u0000'] },
  { addresses: [OUTSIDE, '127.0.0.1'] },
  { addresses: ['127.0.0.1', OUTSIDE] },
  { addresses: [OUTSIDE, '::1'] },
  { addresses: ['::1', OUTSIDE] },
  { addresses: [OUTSIDE, OUTSIDE, '10.0.0.1'] },
  { addresses: [OUTSIDE, '::ffff:127.0.0.1'] },
];

function words(text: string): string[] {
  return text
    .replaceAll(/^\s*#.*$/gm, '')
    .split(/\s+/)
    .filter(Boolean);
}
