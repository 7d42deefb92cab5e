import { PublicAddresses } from './public-address.js';

const everyone = new PublicAddresses([]);

it.each(['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:82b::200e', '::ffff:1.1.1.1'])(
  '%s is public',
  (address) => {
    expect(everyone.include(address)).toBe(true);
  },
);

it.each([
  ['loopback', '127.0.0.1'],
  ['the far end of loopback', '127.255.255.254'],
  ['this network', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['the metadata service of clouds', '169.254.169.254'],
  ['protocol assignments', '192.0.0.170'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relays', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 loopback', '::1'],
  ['unspecified', '::'],
  ['mapped private', '::ffff:10.0.0.1'],
  ['mapped private in hex', '::ffff:a00:1'],
  ['IPv4-compatible', '::10.0.0.1'],
  ['translated', '::ffff:0:10.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['NAT64 of a public address', '64:ff9b::1.1.1.1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4', '2002:a00:1::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['ORCHID', '2001:20::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['the other IPv6 documentation', '3fff::1'],
  ['unique local', 'fd00::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['discard', '100::1'],
  ['segment routing', '5f00::1'],
  ['not given out yet', '4000::1'],
  ['no address', 'client.example'],
  ['nothing', ''],
])('%s (%s) is not public', (_, address) => {
  expect(everyone.include(address)).toBe(false);
});

it('networks that the operator names are permitted, and no other', () => {
  const some = new PublicAddresses(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.7.7', 'fd00:1::9'])
    expect(some.include(address)).toBe(true);
  for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::9', '::1']) expect(some.include(address)).toBe(false);
});

it('an invalid network stops the service from starting', () => {
  expect(() => new PublicAddresses(['10.0.0.0/99'])).toThrow('ipaddr');
  expect(() => new PublicAddresses(['inside'])).toThrow('ipaddr');
});
