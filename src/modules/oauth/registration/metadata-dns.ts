import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** How names become addresses, and whom certificates must come from; specs replace it. */
@Injectable()
export class MetadataDns {
  /** PEM; null = those that Node believes. */
  readonly authorities: string | null = null;

  /** All addresses of a host. Rejects when it has none. */
  async resolve(host: string): Promise<string[]> {
    const found = await lookup(host, { all: true, order: 'verbatim' });
    return found.map(({ address }) => address);
  }
}
