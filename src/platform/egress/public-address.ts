import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The only block of IPv6 that is assigned for public use. */
const GLOBAL_IPV6: Network = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Addresses that the service may connect to on behalf of strangers: public addresses, and networks that the operator
 * has allowed.
 */
export class PublicAddresses {
  private readonly networks: readonly Network[];

  /** @param networks addresses or CIDR networks. Throws Error on anything else. */
  constructor(networks: readonly string[]) {
    this.networks = networks.map(networkOf);
  }

  /** True when the address is allowed; false for anything that is not an address. */
  include(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4-mapped IPv6 address counts as the IPv4 address.
    const address = ipaddr.process(text);
    return isGlobal(address) || this.networks.some((network) => isWithin(address, network));
  }
}

/** The host of a URL as a socket takes it. URL parsing has normalised other notations of IPv4; the brackets of IPv6 go here. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** True for `localhost` and every name below it. rule: RFC 6761 §6.3; a trailing dot names the same host. */
export function isNameOfThisMachine(host: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(host);
}

/**
 * True for a public address. ipaddr.js does not classify tunnels and translations of IPv4 (6to4, Teredo, NAT64) as
 * `unicast`, so they are refused.
 */
function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || isWithin(address, GLOBAL_IPV6);
}

function isWithin(address: Address, [base, bits]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}

function networkOf(text: string): Network {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
