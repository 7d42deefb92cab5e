import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The only part of IPv6 that is given out for public use. */
const GLOBAL_IPV6: Network = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Which addresses the service may connect to for somebody it does not know: public ones, and those of the networks that
 * the operator named.
 */
export class PublicAddresses {
  private readonly networks: readonly Network[];

  /** @param networks addresses or CIDR networks. Throws Error on anything else. */
  constructor(networks: readonly string[]) {
    this.networks = networks.map(networkOf);
  }

  /** False too for what is no address. */
  include(text: string): boolean {
    if (!ipaddr.isValid(text)) return false;
    // An IPv4 address in an IPv6 one is the IPv4 address.
    const address = ipaddr.process(text);
    return isGlobal(address) || this.networks.some((network) => isWithin(address, network));
  }
}

/** Tunnels and translations of IPv4 (6to4, Teredo, NAT64) are not `unicast` to the library, wherever they lead. */
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
