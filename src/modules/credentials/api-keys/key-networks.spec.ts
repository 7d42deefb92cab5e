import { KeyNetworks } from './key-networks.js';

const networks = new KeyNetworks(['10.1.0.0/16', '192.0.2.7/32', '2001:db8::/32']);

it.each(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', '2001:db8:9::1'])('%s is inside', (address) => {
  expect(networks.contains(address)).toBe(true);
});

it.each(['10.2.0.1', '192.0.2.8', '2001:db9::1', '::1', 'junk', undefined])('%s is outside', (address) => {
  expect(networks.contains(address)).toBe(false);
});

it.each(['10.0.0.0', '10.0.0.0/33', '2001:db8::/129', '10.0.0/8', 'x/8', '10.0.0.0/', '10.0.0.0/-1'])(
  '%s is refused as a network',
  (cidr) => {
    expect(() => new KeyNetworks([cidr])).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
  },
);
