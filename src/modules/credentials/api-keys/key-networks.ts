import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { ApiError } from '../../../platform/http/api-error.js';
import { plainAddress } from '../../../platform/rate-limit/client-network.js';

const CIDR = /^([^/]+)\/(\d{1,3})$/;

/** The networks a key may be used from. */
export class KeyNetworks {
  private readonly list = new BlockList();

  /** @param cidrs such as `10.0.0.0/8` or `2001:db8::/32`. @throws ApiError `invalid_parameter`. */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) {
      const [, address = '', prefix = ''] = CIDR.exec(cidr) ?? [];
      const family = familyOf(address);
      const bits = Number(prefix);
      if (family === null || prefix === '' || bits > (family === 'ipv4' ? 32 : 128)) {
        throw new ApiError('invalid_parameter', `"${cidr}" is not a network such as 10.0.0.0/8.`);
      }
      this.list.addSubnet(address, bits, family);
    }
  }

  /** True when the address is in one of the networks; false for an unknown address. */
  contains(address: string | undefined): boolean {
    const plain = plainAddress(address ?? '');
    const family = familyOf(plain);
    return family !== null && this.list.check(plain, family);
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | null {
  if (isIPv4(address)) return 'ipv4';
  return isIPv6(address) ? 'ipv6' : null;
}
