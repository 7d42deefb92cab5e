import { Global, Module } from '@nestjs/common';
import { EgressDns } from './egress-dns.js';

/** What every request to a host that strangers have chosen shares. */
@Global()
@Module({ providers: [EgressDns], exports: [EgressDns] })
export class EgressModule {}
