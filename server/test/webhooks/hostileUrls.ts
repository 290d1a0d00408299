/** Hosts that lead, or could be made to lead, to where webhooks must not go. */
export const LITERALS = [
  // Loopback and "this host", in every spelling of IPv4 that a URL has.
  ...[
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127.000.000.001',
  ],
  ...['2130706433', '017700000001', '0x7f000001', '0X7F000001', '0x7f.1', '0x7F.0x0.0x0.0x1'],
  ...[
    '0177.0.0.1',
    '0177.0x0.0.01',
    '00000177.1',
    '127.0x1',
    '0',
    '00',
    '0x0',
    '0.0.0.0',
    '0.1.2.3',
  ],
  ...['%31%32%37.0.0.1', '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '127%2e0%2e0%2e1'],
  // The same as IPv6, plain and with IPv4 inside.
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ],
  ...['[0:0:0:0:0:ffff:7f00:1]', '[::ffff:0.0.0.0]', '[::127.0.0.1]', '[::7f00:1]', '[::2]'],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]'],
  ...['[2002:7f00:1::]', '[2002:7f00:1::1]', '[2001:0:7f00:1::]', '[fe80::5efe:127.0.0.1]'],
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  // Private networks, also behind the operator's provider.
  ...['10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.1.1'],
  ...['100.64.0.1', '100.127.255.254', '012.0.0.1', '0xc0a80001', '[::ffff:10.0.0.1]'],
  ...['[fc00::1]', '[fd00::2]', '[fec0::1]', '[64:ff9b::10.0.0.1]', '[2002:a00:1::]'],
  // Link-local and the metadata services of the clouds.
  ...['169.254.169.254', '169.254.170.2', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
  ...['①⑥⑨.②⑤④.①⑥⑨.②⑤④', '[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', '[fe80::1]'],
  ...['[fd00:ec2::254]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]'],
  // Everybody at once, nobody, and addresses for examples and measurements.
  ...['224.0.0.1', '239.255.255.250', '255.255.255.255', '240.0.0.1', '[ff02::1]', '[ff0e::1]'],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.0.0.8', '192.88.99.1'],
  ...['[2001:db8::1]', '[3fff::1]', '[100::1]', '[2001:2::1]', '[5f00::1]', '[4000::1]'],
]

export const LOCAL_NAMES = [
  ...['localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'a.localhost', 'a.b.localhost.'],
  ...['ｌｏｃａｌｈｏｓｔ', '%6c%6f%63%61%6c%68%6f%73%74', 'ⓛocalhost'],
]

/** Refused for how they are written, wherever they lead. */
export const ILL_WRITTEN = (port: number) => [
  `http://127.0.0.1:${port}/`,
  `http://[::1]:${port}/`,
  `http://localhost:${port}/`,
  'http://example.com/',
  `https://user@127.0.0.1:${port}/`,
  `https://user:word@127.0.0.1:${port}/`,
  `https://example.com@127.0.0.1:${port}/`,
  `https://example.com:443@127.0.0.1:${port}/`,
  'https://user:word@example.com/',
  `https://127.0.0.1:${port}\\@example.com/`,
  `https:127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `https:\\\\127.0.0.1:${port}\\`,
  `//127.0.0.1:${port}/`,
  `127.0.0.1:${port}/`,
  `https://127.0.0.1:${port}/\n`,
  `https://exam\tple.com/`,
  `https://[fe80::1%25lo]:${port}/`,
  `https://127.0.0.1:99999/`,
  `https://1.2.3.4.5/`,
  'https://',
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_POST`,
  `ws://127.0.0.1:${port}/`,
  `unix:///var/run/docker.sock`,
  'file:///etc/passwd',
  'data:text/plain,hello',
  'javascript:fetch(1)',
]
