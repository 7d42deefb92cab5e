import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The plain form of an address: an IPv4 address that arrived on an IPv6 socket is an IPv4 address. */
export function plainAddress(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, because one subscriber owns
 * all of it. Anything that is no address (a closed socket has none) is one client.
 */
export function clientNetwork(address: string | undefined): string {
  const plain = plainAddress(address ?? '');
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return 'unknown';
  const [ip = ''] = plain.split('%');
  const [head = '', tail] = ip.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const gap = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: gap }, () => '0'), ...after];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The 16-bit groups of a part of an IPv6 address, without leading zeros; a dotted end counts as two. */
function groupsOf(part: string): string[] {
  if (part === '') return [];
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : [Number.parseInt(group, 16).toString(16)]));
}
