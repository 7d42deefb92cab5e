import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** Name resolution and trusted certificate authorities of what the service asks of strangers' hosts; specs replace it. */
@Injectable()
export class EgressDns {
  /** Trusted certificate authorities, PEM; null = Node's own. */
  readonly authorities: string | null = null;

  /** Returns all addresses of a host. Rejects when the host cannot be resolved. */
  async resolve(host: string): Promise<string[]> {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    return found.map(({ address }) => address);
  }
}
